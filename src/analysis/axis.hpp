// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/analysis/chart.hpp"

namespace sweetspot {

/// The unit people read a quantity of this size in.
struct ReadableUnit {
  double size = 1;  ///< in J, s or W
  std::string_view name;
};
[[nodiscard]] ReadableUnit readable_unit(Quantity quantity, double largest);

/// A stretch of numbers with round marks on it, first and last at its ends.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;
  int decimals = 0;  ///< that tell two marks apart

  [[nodiscard]] std::vector<double> ticks() const;
  [[nodiscard]] std::string text(double value) const;
  /// 0 at the low end, 1 at the high one.
  [[nodiscard]] double share(double value) const { return (value - low) / (high - low); }
};

/// An axis that holds both values, with about so many marks, whose distance is 1, 2, 2.5 or 5 times a power of ten.
[[nodiscard]] Axis round_axis(double low, double high, int marks);

/// All of a chart's values fall within; in the unit. Without any: 0 to 1.
struct ValueAxis {
  ReadableUnit unit;
  Axis axis;  ///< in `unit`
};
[[nodiscard]] ValueAxis value_axis(const Chart& chart, int marks);

/// From the lowest to the highest clock of a chart in MHz, with a little room; marks are within.
struct ClockAxis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;
  [[nodiscard]] double share(double mhz) const { return (mhz - low) / (high - low); }
};
[[nodiscard]] ClockAxis clock_axis(const Chart& chart, int marks);

/// The name of what is drawn: "Energy", "Time", "Power".
[[nodiscard]] std::string_view name_of(Quantity quantity);

/// A value with its unit, three digits that count or more: "536.5 kJ".
[[nodiscard]] std::string value_text(double value, const ValueAxis& axis);

/// One mark per clock, ascending, the labels of those that share one joined.
[[nodiscard]] std::vector<ChartMark> joined(std::vector<ChartMark> marks);

/// The chart without values that no axis can hold, its series thinned to what is drawn.
[[nodiscard]] Chart drawable(Chart chart);

}  // namespace sweetspot
