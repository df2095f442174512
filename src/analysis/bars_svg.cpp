// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/axis.hpp"
#include "analysis/markup.hpp"
#include "analysis/report_parts.hpp"
#include "analysis/svg_text.hpp"
#include "sweetspot/core/clipped_text.hpp"

namespace sweetspot {
namespace {

// In units of the drawing.
constexpr double bars_width = 520;
constexpr double side = 52;  // for the figure at a bar's end
constexpr double bar = 11;
constexpr double pitch = 14;
constexpr double name_height = 22;
constexpr double gap = 10;
constexpr double legend_line = 18;
constexpr std::size_t most_name_bytes = 70;

/// In per cent.
Axis axis_of(const BarChart& chart) {
  double low = 0;
  double high = 0;
  for (const BarGroup& group : chart.groups) {
    for (const auto& share : group.shares) {
      if (!share || !std::isfinite(*share)) continue;
      low = std::min(low, *share * 100);
      high = std::max(high, *share * 100);
    }
  }
  return round_axis(low, high, 6);
}

double x_of(const Axis& axis, double percent) {
  return side + (bars_width - 2 * side) * axis.share(percent);
}

std::string legend(const BarChart& chart, double& y) {
  std::string text;
  double x = 2;
  for (std::size_t each = 0; each < chart.policies.size(); ++each) {
    const std::string label = clipped(chart.policies[each], most_name_bytes);
    const double wide = 16 + svg_text_width(label) + 18;
    if (x + wide > bars_width && x > 2) {
      x = 2;
      y += legend_line;
    }
    text += "<rect class=\"bar " + svg_colour(each) + "\" x=\"" + svg_number(x) + "\" y=\"" + svg_number(y - 10) +
            "\" width=\"11\" height=\"11\" rx=\"2\"/>\n" + svg_label("tick", {x + 16, y}, label);
    x += wide;
  }
  y += legend_line;
  return text;
}

std::string one_bar(const Axis& axis, double share, double y, const std::string& name, const std::string& classes) {
  const double zero = x_of(axis, 0);
  const double end = x_of(axis, share * 100);
  const std::string figure = share_in_words(share);
  const std::string rect = "<rect class=\"bar " + classes + "\" x=\"" + svg_number(std::min(zero, end)) + "\" y=\"" +
                           svg_number(y) + "\" width=\"" + svg_number(std::max(1.0, std::abs(end - zero))) +
                           "\" height=\"" + svg_number(bar) + "\"><title>" + escaped(name + ": " + figure) +
                           "</title></rect>\n";
  return rect + (share < 0 ? svg_label("small end", {end - 4, y + bar - 2}, figure)
                           : svg_label("small", {end + 4, y + bar - 2}, figure));
}

std::string described(const BarChart& chart) {
  return count_in_words(chart.groups.size(), "workload") + ", with a bar each for " + joined(chart.policies, ", ") +
         ". The table below has the figures.";
}

}  // namespace

std::string bars_element(const BarChart& chart) {
  const Axis axis = axis_of(chart);
  double y = 14;
  std::string text = legend(chart, y);
  const double top = y;
  std::string bars;
  for (const BarGroup& group : chart.groups) {
    y += name_height;
    bars += svg_label("axis-title", {2, y - 5}, clipped(group.name, most_name_bytes));
    for (std::size_t each = 0; each < group.shares.size(); ++each) {
      if (!group.shares[each] || !std::isfinite(*group.shares[each])) continue;
      bars += one_bar(axis, *group.shares[each], y, group.name + ", " + chart.policies[each], svg_colour(each));
      y += pitch;
    }
    y += gap;
  }
  for (const double tick : axis.ticks()) {
    const double x = x_of(axis, tick);
    text += svg_line(tick == 0 ? "axis" : "grid", {x, top}, {x, y});
    text += svg_label("tick middle", {x, y + 16}, axis.text(tick) + " %");
  }
  return svg_start("chart bars", chart.id, {bars_width, y + 24}) + svg_names(chart.id, chart.title, described(chart)) +
         text + bars + "</svg>\n";
}

}  // namespace sweetspot
