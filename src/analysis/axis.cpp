// SPDX-License-Identifier: Apache-2.0
#include "analysis/axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr int most_decimals = 9;

/// Beyond what any board takes; within it no arithmetic of an axis runs over.
bool drawable_value(double value) {
  constexpr double most = 1e30;
  return std::isfinite(value) && std::abs(value) < most && (value == 0 || std::abs(value) > 1 / most);
}

struct Range {
  double low = 0;
  double high = 0;
  bool empty = true;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = empty ? value : std::min(low, value);
    high = empty ? value : std::max(high, value);
    empty = false;
  }
};

Range values_of(const Chart& chart) {
  Range range;
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      range.add(point.value - point.spread.value_or(0));
      range.add(point.value + point.spread.value_or(0));
    }
  }
  // A fit that leaves the measured range far behind would flatten what was measured; it is cut at the frame.
  for (const ChartLevel& level : chart.levels) range.add(level.value);
  return range;
}

Range clocks_of(const Chart& chart) {
  Range range;
  for (const ChartSeries& series : chart.series)
    for (const ChartPoint& point : series.points) range.add(in_megahertz(point.clock));
  for (const ChartMark& mark : chart.marks) range.add(in_megahertz(mark.clock));
  return range;
}

double round_step(double span, int marks) {
  const double rough = span / marks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * 0.999) return factor * power;
  }
  return 10 * power;
}

int decimals_for(double step) {
  int decimals = 0;
  for (double size = step; decimals < most_decimals && std::abs(size - std::round(size)) > 1e-6 * size; size *= 10)
    ++decimals;
  return decimals;
}

/// The point of least and of greatest value of every stretch, so that no peak is lost.
std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points) {
  if (points.size() <= most_points_drawn) return points;
  constexpr std::size_t stretches = most_points_drawn / 2;
  std::vector<ChartPoint> kept;
  for (std::size_t each = 0; each < stretches; ++each) {
    const auto from = points.begin() + static_cast<std::ptrdiff_t>(points.size() * each / stretches);
    const auto to = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (each + 1) / stretches);
    auto [least, most] =
        std::minmax_element(from, to, [](const ChartPoint& a, const ChartPoint& b) { return a.value < b.value; });
    if (most < least) std::swap(least, most);
    kept.push_back(*least);
    if (most != least) kept.push_back(*most);
  }
  return kept;
}

}  // namespace

ReadableUnit readable_unit(Quantity quantity, double largest) {
  static constexpr std::array joules{ReadableUnit{1e9, "GJ"}, ReadableUnit{1e6, "MJ"}, ReadableUnit{1e3, "kJ"},
                                     ReadableUnit{1, "J"}, ReadableUnit{1e-3, "mJ"}};
  static constexpr std::array seconds{ReadableUnit{86400, "d"}, ReadableUnit{3600, "h"}, ReadableUnit{60, "min"},
                                      ReadableUnit{1, "s"}, ReadableUnit{1e-3, "ms"}};
  static constexpr std::array watts{ReadableUnit{1e9, "GW"}, ReadableUnit{1e6, "MW"}, ReadableUnit{1e3, "kW"},
                                    ReadableUnit{1, "W"}, ReadableUnit{1e-3, "mW"}};
  const auto& units = quantity == Quantity::energy ? joules : quantity == Quantity::time ? seconds : watts;
  for (const ReadableUnit& unit : units) {
    // So that 100 s are not 1.67 min, and 90 min not 1.5 h.
    const double at_least = quantity == Quantity::time && unit.size > 1 ? 2 : 1;
    if (std::abs(largest) >= at_least * unit.size) return unit;
  }
  return largest == 0 ? units[3] : units.back();
}

std::vector<double> Axis::ticks() const {
  std::vector<double> all;
  const auto count = static_cast<int>(std::lround((high - low) / step));
  for (int each = 0; each <= count; ++each) all.push_back(low + each * step);
  return all;
}

std::string Axis::text(double value) const {
  // -0 is 0 to people.
  return std::abs(value) < step * 1e-6 ? "0" : fixed_text(value, decimals);
}

Axis round_axis(double low, double high, int marks) {
  const double middle = std::abs(low + (high - low) / 2);
  if (!(high - low > 1e-9 * middle)) {
    const double room = middle > 0 ? middle * 0.05 : 0.5;
    low -= room;
    high += room;
  }
  const double step = round_step(high - low, marks);
  Axis axis{.low = std::floor(low / step + 1e-9) * step, .high = std::ceil(high / step - 1e-9) * step, .step = step};
  axis.decimals = decimals_for(step);
  return axis;
}

ValueAxis value_axis(const Chart& chart, int marks) {
  const Range range = values_of(chart);
  if (range.empty) return {readable_unit(chart.quantity, 1), round_axis(0, 1, marks)};
  const ReadableUnit unit = readable_unit(chart.quantity, std::max(std::abs(range.low), std::abs(range.high)));
  return {unit, round_axis(range.low / unit.size, range.high / unit.size, marks)};
}

ClockAxis clock_axis(const Chart& chart, int marks) {
  Range range = clocks_of(chart);
  if (range.empty) range = {.low = 0, .high = 1000, .empty = false};
  if (range.low == range.high) range = {.low = range.low * 0.9, .high = range.high * 1.1, .empty = false};
  constexpr double room = 0.03;
  const double margin = (range.high - range.low) * room;
  ClockAxis axis{.low = range.low - margin, .high = range.high + margin, .ticks = {}};
  for (const double tick : round_axis(range.low, range.high, marks).ticks()) {
    if (tick >= axis.low && tick <= axis.high) axis.ticks.push_back(tick);
  }
  return axis;
}

std::string_view name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::energy:
      return "Energy";
    case Quantity::time:
      return "Time";
    case Quantity::power:
      return "Power";
  }
  return "";
}

std::string value_text(double value, const ValueAxis& axis) {
  const double shown = value / axis.unit.size;
  int decimals = 0;
  for (double size = std::abs(shown); size > 0 && size < 1000 && decimals < most_decimals; size *= 10) ++decimals;
  return fixed_text(shown, decimals) + " " + std::string(axis.unit.name);
}

std::vector<ChartMark> joined(std::vector<ChartMark> marks) {
  std::stable_sort(marks.begin(), marks.end(),
                   [](const ChartMark& a, const ChartMark& b) { return a.clock < b.clock; });
  std::vector<ChartMark> one_each;
  for (ChartMark& mark : marks) {
    if (!one_each.empty() && one_each.back().clock == mark.clock)
      one_each.back().label += ", " + mark.label;
    else
      one_each.push_back(std::move(mark));
  }
  return one_each;
}

Chart drawable(Chart chart) {
  const auto odd = [](const ChartPoint& point) {
    return !drawable_value(point.value) || !drawable_value(point.spread.value_or(0));
  };
  for (auto* all : {&chart.series, &chart.fits}) {
    for (ChartSeries& series : *all) {
      series.points.erase(std::remove_if(series.points.begin(), series.points.end(), odd), series.points.end());
      series.points = thinned(series.points);
    }
  }
  const auto odd_level = [](const ChartLevel& level) { return !drawable_value(level.value); };
  chart.levels.erase(std::remove_if(chart.levels.begin(), chart.levels.end(), odd_level), chart.levels.end());
  chart.marks = joined(std::move(chart.marks));
  return chart;
}

}  // namespace sweetspot
