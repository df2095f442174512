// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What a chart shows against the GPU clock: joules, seconds or watts. Charts print them in the unit that suits their
/// size: kJ, min, W.
enum class Quantity { energy, time, power };

struct ChartPoint {
  Hertz clock;
  double value = 0;              ///< J, s or W
  std::optional<double> spread;  ///< standard deviation of one run, in the same unit; drawn up and down
};

/// Points that belong together, ascending by clock. What is not finite, or beyond 1e30, is left out.
struct ChartSeries {
  std::string name;  ///< in the legend, which is there for two series or more and for fits
  std::vector<ChartPoint> points;
};

/// A clock that somebody chose. Several marks at one clock share a line.
struct ChartMark {
  Hertz clock;
  std::string label;
};

/// A value without a clock, drawn across: what the default governor costs.
struct ChartLevel {
  double value = 0;
  std::string label;
};

struct Chart {
  std::string id;           ///< of the element, unique in a page; letters, digits, '-'
  std::string title;        ///< for example "deberta-v2-xlarge/qnli: energy"
  std::string description;  ///< what there is to see, for whom cannot; empty: least value and range, from the points
  Quantity quantity = Quantity::energy;
  std::vector<ChartSeries> series;
  std::vector<ChartSeries> fits = {};  ///< drawn as dashed lines without points
  std::vector<ChartMark> marks = {};
  std::vector<ChartLevel> levels = {};
};

/// Points of one series that are drawn; of more, the lowest and the highest of every stretch of clocks.
inline constexpr std::size_t most_points_drawn = 200;

/// The chart as an <svg> element for a page that carries chart_style(). Role, title and description are for those who
/// do not see it; every point has class "point" and its figures as a tooltip. Names are escaped; nothing is fetched.
[[nodiscard]] std::string chart_element(const Chart& chart);

/// The chart as an .svg file of its own, with its title on it: light or dark as the viewer is, light on paper.
[[nodiscard]] std::string chart_file(const Chart& chart);

/// The style sheet of chart_element().
[[nodiscard]] std::string_view chart_style();

/// The chart for a terminal, ASCII, drawn within `columns` characters (40 to 200; nearest taken): one letter per
/// series, `|` for spread, marks and names in lines below the axis. Names must be fit for a terminal.
[[nodiscard]] std::string chart_text(const Chart& chart, std::size_t columns = 76);

}  // namespace sweetspot
