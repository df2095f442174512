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
            .knee = between(0.15, 0.6, u[2]),
            .voltage_rise = between(0.4, 2.5, u[3]),
            .curvature = between(0.9, 1.6, u[4]),
            .fixed_power = between_logs(0.08, 1.5, u[5]),
            .leaking = between(0, 0.5, u[6]),
            .memory_power = between(0, 0.4, u[7]),
            .stalled_power = between(0, 0.5, u[8])};
  }

  [[nodiscard]] double log_energy(double clock) const {
    const double work = 1 / clock;
    const double time = std::pow(std::pow(floor, blend) + std::pow(work, blend), 1 / blend);
    const double above = std::max(0.0, clock - knee) / (1 - knee);
    const double voltage2 = 1 + voltage_rise * std::pow(above, curvature);
    const double full = clock * voltage2 / (1 + voltage_rise);
    const double load = stalled_power + (1 - stalled_power) * work / time;
    const double fixed = fixed_power * (1 + leaking * (voltage2 - 1));
    return std::log(time * (fixed + full * load) + memory_power);
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
      for (std::size_t j = 0; j < n; ++j) products_[i * n + j] += weight * curve[i] * curve[j];
    }
  }
  void finish(CurvePrior& prior) {
    const std::size_t n = sum_.size();
    for (double& value : sum_) value /= weight_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) products_[i * n + j] = products_[i * n + j] / weight_ - sum_[i] * sum_[j];
    }
    prior.mean = std::move(sum_);
    prior.covariance = std::move(products_);
  }

 private:
  double weight_ = 0;
  std::vector<double> sum_;
  std::vector<double> products_;
};

/// Adds the arm that is not pinned, as one that costs about what the top clock costs.
void add_unpinned(CurvePrior& prior) {
  const std::size_t n = prior.mean.size();
  const std::size_t top = n - 1;
  std::vector<double> wider((n + 1) * (n + 1));
  for (std::size_t i = 0; i <= n; ++i) {
    for (std::size_t j = 0; j <= n; ++j)
      wider[i * (n + 1) + j] = prior.covariance[std::min(i, top) * n + std::min(j, top)];
  }
  wider.back() += unpinned_deviation * unpinned_deviation;
  prior.covariance = std::move(wider);
  prior.mean.push_back(prior.mean[top] - unpinned_mean_below_top);
  prior.arms.unpinned = true;
}

}  // namespace

CurvePrior CurvePrior::on(const FrequencyTable& table, Hertz start, bool with_unpinned) {
  CurvePrior prior;
  prior.arms.clocks.assign(table.clocks().begin(), table.clocks().end());
  const auto& clocks = prior.arms.clocks;
  const auto found = std::find(clocks.begin(), clocks.end(), table.nearest(start));
  prior.start = static_cast<std::size_t>(found - clocks.begin());
  Moments moments(clocks.size());
  std::vector<double> curve(clocks.size());
  for (int index = 0; index < made_up_jobs; ++index) {
    const MadeUpJob job = MadeUpJob::numbered(index);
    for (std::size_t i = 0; i < clocks.size(); ++i)
      curve[i] = job.log_energy(in_megahertz(clocks[i]) / in_megahertz(table.highest()));
    const double at_start = curve[prior.start];
    const double regret = at_start - *std::min_element(curve.begin(), curve.end());
    for (double& value : curve) value -= at_start;  // what a step costs is not known, only how clocks compare
    moments.add(curve, share_of_strangers + (1 - share_of_strangers) * std::exp(-regret / usual_regret_of_start));
  }
  moments.finish(prior);
  if (with_unpinned) add_unpinned(prior);
  return prior;
}

}  // namespace sweetspot
