// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/curve_prior.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace sweetspot {
namespace {

constexpr int made_up_jobs = 384;
/// A policy's clock costs a few per cent more than the best one; one job in five is unlike anything it knows.
constexpr double usual_regret_of_start = 0.03;
constexpr double share_of_strangers = 0.2;
/// The default governor runs a GPU that is loaded at its top clock, and idles down where it is not.
constexpr double unpinned_mean_below_top = 0.06;
constexpr double unpinned_deviation = 0.10;
/// Families end at these shares of the top clock, by where the least cost lies.
constexpr std::array<double, 2> family_ends{0.45, 0.75};

/// Points that fill a cube evenly: the radical inverse of `index` in `base`.
double halton(int index, int base) {
  double result = 0;
  for (double digit = 1.0 / base; index > 0; index /= base, digit /= base) result += digit * (index % base);
  return result;
}

double between(double low, double high, double share) {
  return low + (high - low) * share;
}

double between_logs(double low, double high, double share) {
  return low * std::pow(high / low, share);
}

/// A board and a job on it, with everything relative to the top clock.
struct MadeUpJob {
  double floor;          ///< least time of a step, in units of its work at the top clock
  double blend;          ///< how sharply floor and work meet
  double knee;           ///< up to here the voltage is flat
  double voltage_rise;   ///< of V², from the knee to the top
  double curvature;      ///< of that rise
  double fixed_power;    ///< in units of the full dynamic power at the top clock
  double leaking;        ///< share of the fixed power that goes with V²
  double memory_power;   ///< goes with the work done per second
  double stalled_power;  ///< share of the dynamic power that is drawn while waiting

  static MadeUpJob numbered(int index) {
    const std::array<int, 9> bases{2, 3, 5, 7, 11, 13, 17, 19, 23};
    std::array<double, 9> u{};
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = halton(index + 29, bases[i]);
    return {.floor = between_logs(0.05, 4, u[0]),
            .blend = between(2, 4, u[1]),
            .knee = between(0.15, 0.8, u[2]),
            .voltage_rise = between(0.4, 2.5, u[3]),
            .curvature = between(0.9, 1.6, u[4]),
            .fixed_power = between_logs(0.08, 1.5, u[5]),
            .leaking = between(0, 0.5, u[6]),
            .memory_power = between(0, 0.4, u[7]),
            .stalled_power = between(0, 0.5, u[8])};
  }

  [[nodiscard]] double time(double clock) const {
    return std::pow(std::pow(floor, blend) + std::pow(1 / clock, blend), 1 / blend);
  }
  [[nodiscard]] double energy(double clock, double time) const {
    const double above = std::max(0.0, clock - knee) / (1 - knee);
    const double voltage2 = 1 + voltage_rise * std::pow(above, curvature);
    const double full = clock * voltage2 / (1 + voltage_rise);
    const double load = stalled_power + (1 - stalled_power) / (clock * time);
    const double fixed = fixed_power * (1 + leaking * (voltage2 - 1));
    return time * (fixed + full * load) + memory_power;
  }
};

/// Weighted moments, taken up curve by curve.
class Moments {
 public:
  explicit Moments(std::size_t arms) : sum_(arms), products_(arms * arms) {}

  void add(const std::vector<double>& curve, double weight) {
    weight_ += weight;
    const std::size_t n = sum_.size();
    for (std::size_t i = 0; i < n; ++i) {
      sum_[i] += weight * curve[i];
      for (std::size_t j = 0; j <= i; ++j) products_[i * n + j] += weight * curve[i] * curve[j];
    }
  }
  [[nodiscard]] CurveFamily family(double weight_of_all) const {
    const std::size_t n = sum_.size();
    CurveFamily family{.weight = weight_ / weight_of_all, .mean = sum_, .covariance = products_};
    for (double& value : family.mean) value /= weight_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        const double covariance = products_[i * n + j] / weight_ - family.mean[i] * family.mean[j];
        family.covariance[i * n + j] = family.covariance[j * n + i] = covariance;
      }
    }
    return family;
  }
  [[nodiscard]] double weight() const { return weight_; }

 private:
  double weight_ = 0;
  std::vector<double> sum_;
  std::vector<double> products_;
};

/// Adds the arm that is not pinned, as one that costs about what the top clock costs.
void add_unpinned(CurveFamily& family, double mean_below_top, double deviation) {
  const std::size_t n = family.mean.size();
  const std::size_t top = n - 1;
  std::vector<double> wider((n + 1) * (n + 1));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= n; ++j)
      wider[i * (n + 1) + j] = family.covariance[std::min(i, top) * n + std::min(j, top)];
  }
  wider.back() += deviation * deviation;
  family.covariance = std::move(wider);
  family.mean.push_back(family.mean[top] - mean_below_top);
}

/// A made-up job's curves, relative to the clock a policy would start at: what a step costs is not known, only how
/// clocks compare.
struct MadeUpCurves {
  std::vector<double> costs;
  std::vector<double> times;
  double best_share = 1;  ///< of the top clock, where the least cost is
  double weight = 1;

  MadeUpCurves(const MadeUpJob& job, const std::vector<double>& shares, std::size_t start, Least least) {
    for (const double share : shares) {
      const double time = job.time(share);
      const double energy = job.energy(share, time);
      times.push_back(std::log(time));
      costs.push_back(std::log(least == Least::energy ? energy : energy * time));
    }
    const auto least_cost = std::min_element(costs.begin(), costs.end());
    best_share = shares[static_cast<std::size_t>(least_cost - costs.begin())];
    weight =
        share_of_strangers + (1 - share_of_strangers) * std::exp((*least_cost - costs[start]) / usual_regret_of_start);
    const double cost_at_start = costs[start];
    const double time_at_start = times[start];
    for (double& cost : costs) cost -= cost_at_start;
    for (double& time : times) time -= time_at_start;
  }
};

std::size_t family_of(double best_share) {
  return static_cast<std::size_t>(std::lower_bound(family_ends.begin(), family_ends.end(), best_share) -
                                  family_ends.begin());
}

}  // namespace

CurvePrior CurvePrior::on(const FrequencyTable& table, Hertz start, bool with_unpinned, Least least) {
  CurvePrior prior;
  prior.arms.clocks.assign(table.clocks().begin(), table.clocks().end());
  prior.arms.unpinned = with_unpinned;
  const auto& clocks = prior.arms.clocks;
  const auto found = std::find(clocks.begin(), clocks.end(), table.nearest(start));
  prior.start = static_cast<std::size_t>(found - clocks.begin());
  std::vector<double> shares;
  shares.reserve(clocks.size());
  for (const Hertz clock : clocks) shares.push_back(in_megahertz(clock) / in_megahertz(table.highest()));
  std::vector<Moments> costs(family_ends.size() + 1, Moments(clocks.size()));
  Moments times(clocks.size());
  for (int index = 0; index < made_up_jobs; ++index) {
    const MadeUpCurves curves(MadeUpJob::numbered(index), shares, prior.start, least);
    costs[family_of(curves.best_share)].add(curves.costs, curves.weight);
    times.add(curves.times, 1);
  }
  double weight_of_all = 0;
  for (const Moments& moments : costs) weight_of_all += moments.weight();
  for (const Moments& moments : costs)
    if (moments.weight() > 0) prior.families.push_back(moments.family(weight_of_all));
  prior.times = times.family(times.weight());
  if (!with_unpinned) return prior;
  for (CurveFamily& family : prior.families) add_unpinned(family, unpinned_mean_below_top, unpinned_deviation);
  add_unpinned(prior.times, 0, unpinned_deviation);
  return prior;
}

}  // namespace sweetspot
