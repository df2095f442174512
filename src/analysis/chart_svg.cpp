// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/axis.hpp"
#include "analysis/markup.hpp"
#include "analysis/svg_text.hpp"
#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/core/clipped_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

// In units of the drawing, which is about as many pixels wide where there is room.
constexpr double chart_width = 440;
constexpr double plot_height = 204;
constexpr double line_height = 16;
constexpr double edge = 14;
constexpr double bold = 1.15;  // as wide as plain text
constexpr std::size_t most_label_bytes = 36;

/// One label above the plot, with its line down to the axis.
struct MarkedClock {
  std::string label;
  double x = 0;          ///< of the line
  double label_x = 0;    ///< of the label's middle
  std::size_t lane = 0;  ///< 0 is next to the plot
};

/// Where everything goes.
struct Frame {
  ValueAxis values;
  ClockAxis clocks;
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;

  [[nodiscard]] double x(Hertz clock) const { return left + (right - left) * clocks.share(in_megahertz(clock)); }
  [[nodiscard]] double y(double value) const {
    return bottom - (bottom - top) * values.axis.share(value / values.unit.size);
  }
};

/// The marks' lines and labels, the labels side by side or, where there is no room, in lanes.
std::vector<MarkedClock> placed(const std::vector<ChartMark>& marks, const Frame& frame) {
  std::vector<MarkedClock> all;
  all.reserve(marks.size());
  for (const ChartMark& mark : marks) all.push_back({.label = mark.label, .x = frame.x(mark.clock)});
  std::vector<double> lane_ends;
  for (MarkedClock& mark : all) {
    mark.label = clipped(mark.label, most_label_bytes);
    const double half = bold * svg_text_width(mark.label) / 2;
    mark.label_x = std::clamp(mark.x, std::min(half, chart_width / 2), std::max(chart_width - half, chart_width / 2));
    while (mark.lane < lane_ends.size() && mark.label_x - half < lane_ends[mark.lane] + edge / 2) ++mark.lane;
    if (mark.lane == lane_ends.size()) lane_ends.push_back(0);
    lane_ends[mark.lane] = mark.label_x + half;
  }
  return all;
}

std::string grid(const Frame& frame) {
  std::string text;
  for (const double tick : frame.values.axis.ticks()) {
    const double y = frame.y(tick * frame.values.unit.size);
    text += svg_line("grid", {frame.left, y}, {frame.right, y});
    text += svg_label("tick end", {frame.left - 6, y + 4}, frame.values.axis.text(tick));
  }
  for (const double tick : frame.clocks.ticks) {
    const double x = frame.x(megahertz(tick));
    text += svg_line("axis", {x, frame.bottom}, {x, frame.bottom + 4});
    text += svg_label("tick middle", {x, frame.bottom + 17}, number_text(tick));
  }
  return text + svg_line("axis", {frame.left, frame.bottom}, {frame.right, frame.bottom});
}

std::string path_of(const ChartSeries& series, const Frame& frame) {
  std::string text;
  for (const ChartPoint& point : series.points)
    text += (text.empty() ? "M" : "L") + svg_number(frame.x(point.clock)) + " " + svg_number(frame.y(point.value));
  return text;
}

std::string point_text(const ChartPoint& point, const Frame& frame) {
  std::string text = to_text(point.clock) + ": " + value_text(point.value, frame.values);
  if (point.spread) text += " ± " + value_text(*point.spread, frame.values);
  return text;
}

std::string points_of(const ChartSeries& series, const std::string& colour, const Frame& frame) {
  std::string text;
  for (const ChartPoint& point : series.points) {
    const double x = frame.x(point.clock);
    if (point.spread && *point.spread > 0) {
      const double above = frame.y(point.value + *point.spread);
      const double below = frame.y(point.value - *point.spread);
      text += svg_line("spread " + colour, {x, above}, {x, below});
      for (const double end : {above, below}) text += svg_line("spread " + colour, {x - 4, end}, {x + 4, end});
    }
    text += "<circle class=\"point " + colour + "\" cx=\"" + svg_number(x) + "\" cy=\"" +
            svg_number(frame.y(point.value)) + "\" r=\"3.5\"><title>" + escaped(point_text(point, frame)) +
            "</title></circle>\n";
  }
  return text;
}

std::string curves(const Chart& chart, const Frame& frame) {
  const std::string clip = escaped(chart.id) + "-frame";
  std::string text = "<clipPath id=\"" + clip + "\"><rect x=\"" + svg_number(frame.left) + "\" y=\"" +
                     svg_number(frame.top - 1) + "\" width=\"" + svg_number(frame.right - frame.left) + "\" height=\"" +
                     svg_number(frame.bottom - frame.top + 1) + "\"/></clipPath>\n";
  for (std::size_t each = 0; each < chart.fits.size(); ++each)
    text += "<path class=\"fit " + svg_colour(each) + "\" clip-path=\"url(#" + clip + ")\" d=\"" +
            path_of(chart.fits[each], frame) + "\"/>\n";
  for (std::size_t each = 0; each < chart.series.size(); ++each) {
    text += "<path class=\"line " + svg_colour(each) + "\" d=\"" + path_of(chart.series[each], frame) + "\"/>\n";
    text += points_of(chart.series[each], svg_colour(each), frame);
  }
  return text;
}

std::string level_lines(const Chart& chart, const Frame& frame) {
  std::string text;
  for (const ChartLevel& level : chart.levels) {
    const double y = frame.y(level.value);
    text += svg_line("level", {frame.left, y}, {frame.right, y});
  }
  return text;
}

/// How much of what is drawn lies within a box: a curve is looked at in twelve places from point to point.
int drawn_within(const Chart& chart, const Frame& frame, SvgPlace from, SvgPlace to) {
  constexpr int places = 12;
  const auto inside = [&](double x, double y) { return x >= from.x && x <= to.x && y >= from.y && y <= to.y; };
  int found = 0;
  for (const ChartSeries& series : chart.series) {
    for (std::size_t each = 0; each + 1 < series.points.size(); ++each) {
      const ChartPoint& a = series.points[each];
      const ChartPoint& b = series.points[each + 1];
      for (int place = 0; place <= places; ++place) {
        const double share = static_cast<double>(place) / places;
        found += inside(std::lerp(frame.x(a.clock), frame.x(b.clock), share),
                        std::lerp(frame.y(a.value), frame.y(b.value), share))
                     ? 1
                     : 0;
      }
    }
  }
  for (const ChartMark& mark : chart.marks) found += inside(frame.x(mark.clock), to.y) ? 1 : 0;
  return found;
}

/// A level's name at the end of its line, above or below, where it covers least.
std::string level_label(const Chart& chart, const Frame& frame, const ChartLevel& level) {
  const std::string label = clipped(level.label, most_label_bytes);
  const double wide = svg_text_width(label);
  const double y = frame.y(level.value);
  int least = std::numeric_limits<int>::max();
  std::string best;
  for (const double baseline : {y - 5, y + line_height - 2}) {
    if (baseline - line_height < frame.top - line_height / 2 || baseline > frame.bottom) continue;
    for (const std::string_view end : {"end", "start"}) {
      const double x = end == "end" ? frame.right - 2 : frame.left + 4;
      const double left = end == "end" ? x - wide : x;
      const int covered =
          drawn_within(chart, frame, {left - 4, baseline - line_height}, {left + wide + 4, baseline + 4});
      if (covered >= least) continue;
      least = covered;
      best = svg_label("label " + std::string(end), {x, baseline}, label);
    }
  }
  return best;
}

std::string level_labels(const Chart& chart, const Frame& frame) {
  std::string text;
  for (const ChartLevel& level : chart.levels) text += level_label(chart, frame, level);
  return text;
}

std::string marks_of(const std::vector<MarkedClock>& marks, const Frame& frame) {
  std::string lines;
  std::string labels;
  for (const MarkedClock& mark : marks) {
    const double y = frame.top - 8 - line_height * static_cast<double>(mark.lane);
    lines += svg_line("mark", {mark.x, y + 4}, {mark.x, frame.bottom});
    labels += svg_label("label mark-label middle", {mark.label_x, y}, mark.label);
  }
  return lines + labels;
}

/// The legend's entries in lines; moves `bottom` below them.
std::string legend(const Chart& chart, const Frame& frame, double& bottom) {
  if (chart.series.size() < 2 && chart.fits.empty()) return {};
  std::string text;
  double x = frame.left;
  bottom += line_height;
  const auto add = [&](const std::string& classes, const std::string& name) {
    constexpr double sample = 22;
    const std::string label = clipped(name, most_label_bytes);
    const double wide = sample + 6 + svg_text_width(label) + edge;
    if (x + wide > chart_width && x > frame.left) {
      x = frame.left;
      bottom += line_height;
    }
    text += svg_line(classes, {x, bottom - 4}, {x + sample, bottom - 4});
    text += svg_label("tick", {x + sample + 6, bottom}, label);
    x += wide;
  };
  for (std::size_t each = 0; each < chart.series.size(); ++each)
    add("line " + svg_colour(each), chart.series[each].name);
  for (std::size_t each = 0; each < chart.fits.size(); ++each) add("fit " + svg_colour(each), chart.fits[each].name);
  return text;
}

Frame frame_of(const Chart& chart) {
  Frame frame{.values = value_axis(chart, 5), .clocks = clock_axis(chart, 6)};
  double widest = 0;
  for (const double tick : frame.values.axis.ticks())
    widest = std::max(widest, svg_text_width(frame.values.axis.text(tick)));
  frame.left = std::min(widest + edge, chart_width / 2);
  frame.right = chart_width - edge;
  return frame;
}

struct Drawing {
  std::string text;
  double height = 0;
};

Drawing drawing_of(const Chart& chart) {
  Frame frame = frame_of(chart);
  const std::vector<MarkedClock> marks = placed(chart.marks, frame);
  std::size_t lanes = 0;
  for (const MarkedClock& mark : marks) lanes = std::max(lanes, mark.lane + 1);
  frame.top = 26 + line_height * static_cast<double>(lanes);
  frame.bottom = frame.top + plot_height;
  std::string text = svg_label("axis-title", {2, 14},
                               std::string(name_of(chart.quantity)) + ", " + std::string(frame.values.unit.name));
  text += grid(frame) + level_lines(chart, frame) + level_labels(chart, frame) + marks_of(marks, frame) +
          curves(chart, frame);
  double bottom = frame.bottom + 34;
  text += svg_label("axis-title end", {frame.right, bottom}, "GPU clock, MHz");
  text += legend(chart, frame, bottom);
  return {text, bottom + 8};
}

std::string described(const Chart& chart, const ValueAxis& values) {
  if (!chart.description.empty()) return chart.description;
  std::string text;
  for (const ChartSeries& series : chart.series) {
    if (series.points.empty()) continue;
    const auto least = std::min_element(series.points.begin(), series.points.end(),
                                        [](const ChartPoint& a, const ChartPoint& b) { return a.value < b.value; });
    text += (series.name.empty() ? "" : series.name + ": ") + std::to_string(series.points.size()) + " points from " +
            to_text(series.points.front().clock) + " to " + to_text(series.points.back().clock) + ", least at " +
            point_text(*least, Frame{.values = values, .clocks = {}}) + ". ";
  }
  for (const ChartMark& mark : chart.marks) text += "Marked: " + mark.label + ", " + to_text(mark.clock) + ". ";
  for (const ChartLevel& level : chart.levels)
    text += "Across: " + level.label + ", " + value_text(level.value, values) + ". ";
  return text;
}

}  // namespace

std::string chart_element(const Chart& chart) {
  const Chart shown = drawable(chart);
  const Drawing drawing = drawing_of(shown);
  return svg_start("chart", shown.id, {chart_width, drawing.height}) +
         svg_names(shown.id, shown.title, described(shown, value_axis(shown, 5))) + drawing.text + "</svg>\n";
}

std::string chart_file(const Chart& chart) {
  Chart shown = drawable(chart);
  if (shown.id.empty()) shown.id = "chart";
  const Drawing drawing = drawing_of(shown);
  constexpr double margin = 12;
  constexpr double heading = 44;
  const std::string all = "width=\"100%\" height=\"100%\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
         svg_start("chart", shown.id, {chart_width + 2 * margin, drawing.height + heading + margin}) +
         svg_names(shown.id, shown.title, described(shown, value_axis(shown, 5))) + "<style>\n" +
         std::string(chart_style()) + "</style>\n<rect class=\"ground\" " + all + "/>\n" +
         svg_label("heading", {margin + 2, 28}, clipped(shown.title, 2 * most_label_bytes)) +
         "<g transform=\"translate(" + svg_number(margin) + " " + svg_number(heading) + ")\">\n" + drawing.text +
         "</g>\n</svg>\n";
}

}  // namespace sweetspot
