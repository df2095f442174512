// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// A quantity that was measured once or several times: its mean and how far the runs lie apart. Welford's way, so that
/// neither many runs nor large values lose digits.
class Repeats {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// The standard deviation of one run; empty for fewer than two.
  [[nodiscard]] std::optional<double> deviation() const {
    if (count_ < 2) return std::nullopt;
    return std::sqrt(squares_ / static_cast<double>(count_ - 1));
  }

 private:
  std::size_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// What a workload cost at one clock. Without time or load: none of its runs has it.
struct CurvePoint {
  Hertz clock;           ///< 0 for the default governor, which has no one clock
  Repeats energy_j;      ///< never empty, above 0
  Repeats time_s;        ///< above 0
  Repeats power_w;       ///< a run's joules over its seconds
  Repeats load_percent;  ///< mean GPU load of a run
  [[nodiscard]] double energy() const { return energy_j.mean(); }
  [[nodiscard]] std::optional<double> time() const {
    if (time_s.count() == 0) return std::nullopt;
    return time_s.mean();
  }
};

/// Energy, and perhaps time, of one workload against the GPU clock, as it was measured. Invariant of parse_curves():
/// at least one point or the default governor's; points ascend by clock, one per clock.
struct Curve {
  std::string id;
  std::string platform;  ///< for example "agx-orin-64"
  std::string kind;
  std::string workload;
  std::string model_type;
  std::string power_mode;    ///< empty: not said
  std::string energy_scope;  ///< which rails are in the joules
  std::string source;
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> hidden_size;
  std::optional<double> mean_sequence_length;
  std::optional<std::int64_t> batch_size;
  std::optional<std::int64_t> total_steps;     ///< what the joules and seconds are of; empty: of one step
  std::vector<CurvePoint> points;              ///< pinned
  std::optional<CurvePoint> default_governor;  ///< the row MAXN: nothing pinned

  /// The point at this clock, or null where nothing was measured there.
  [[nodiscard]] const CurvePoint* at(Hertz clock) const;
  /// The pinned point of least energy, the lowest clock of equal ones; null without points.
  [[nodiscard]] const CurvePoint* least_energy() const;
};

/// The job that a curve is of, as a training script would describe it.
[[nodiscard]] JobSpec job_of(const Curve& curve);

/// The curve with its clocks moved to the entries of the board's own table, since people round them (1300 for 1300.5
/// MHz). Empty when one lies more than 0.1 % beside every entry: then the curve is of another board.
[[nodiscard]] std::optional<Curve> on_table(const Curve& curve, const FrequencyTable& table);

/// The clocks of platforms, by the name that curves give them.
using PlatformTables = std::map<std::string, FrequencyTable, std::less<>>;

/// Every curve on its platform's table; as it is, where that is not known or does not fit.
[[nodiscard]] std::vector<Curve> on_known_tables(const std::vector<Curve>& curves, const PlatformTables& tables);

}  // namespace sweetspot
