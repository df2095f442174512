// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "analysis/axis.hpp"
#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t rows = 15;
constexpr std::string_view letters = "oxs+*v";

/// Characters in lines; row 0 on top. What falls outside is not drawn.
class Canvas {
 public:
  Canvas(std::size_t columns, std::size_t lines) : lines_(lines, std::string(columns, ' ')) {}

  void put(std::size_t column, std::size_t row, char letter) {
    if (row < lines_.size() && column < lines_[row].size()) lines_[row][column] = letter;
  }
  [[nodiscard]] const std::string& line(std::size_t row) const { return lines_[row]; }

 private:
  std::vector<std::string> lines_;
};

struct Plot {
  ValueAxis values;
  ClockAxis clocks;
  std::size_t columns = 0;

  [[nodiscard]] std::size_t column(double mhz) const {
    const double share = std::clamp(clocks.share(mhz), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * static_cast<double>(columns - 1)));
  }
  [[nodiscard]] std::size_t row(double value) const {
    const double share = std::clamp(values.axis.share(value / values.unit.size), 0.0, 1.0);
    return static_cast<std::size_t>(std::lround((1 - share) * static_cast<double>(rows - 1)));
  }
};

char letter_of(std::size_t series) {
  return letters[series % letters.size()];
}

Canvas drawn(const Chart& chart, const Plot& plot) {
  Canvas canvas(plot.columns, rows);
  for (const ChartLevel& level : chart.levels)
    for (std::size_t column = 0; column < plot.columns; column += 2) canvas.put(column, plot.row(level.value), '-');
  for (const ChartSeries& series : chart.series) {
    for (const ChartPoint& point : series.points) {
      if (!point.spread) continue;
      const std::size_t lowest = plot.row(point.value - *point.spread);
      for (std::size_t row = plot.row(point.value + *point.spread); row <= lowest; ++row)
        canvas.put(plot.column(in_megahertz(point.clock)), row, '|');
    }
  }
  for (std::size_t each = 0; each < chart.series.size(); ++each)
    for (const ChartPoint& point : chart.series[each].points)
      canvas.put(plot.column(in_megahertz(point.clock)), plot.row(point.value), letter_of(each));
  return canvas;
}

/// Writes texts into one line, each with its middle at a column where there is room for it; others are left out.
std::string spaced(const std::vector<std::pair<std::size_t, std::string>>& texts, std::size_t columns) {
  std::string line;
  for (const auto& [column, text] : texts) {
    const std::size_t half = text.size() / 2;
    const std::size_t last = columns > text.size() ? columns - text.size() : 0;
    const std::size_t start = std::min(column > half ? column - half : 0, last);
    if (!line.empty() && start < line.size() + 1) continue;
    line.resize(std::max(line.size(), start), ' ');
    line += text;
  }
  return line;
}

/// One line per marked clock, an arrow at its column.
std::string marks_text(const Chart& chart, const Plot& plot, const std::string& indent) {
  std::string arrows(plot.columns, ' ');
  std::string text;
  for (const ChartMark& mark : chart.marks) {
    arrows[plot.column(in_megahertz(mark.clock))] = '^';
    text += indent + " ^ " + to_text(mark.clock) + ": " + mark.label + "\n";
  }
  if (chart.marks.empty()) return {};
  arrows.erase(arrows.find_last_not_of(' ') + 1);
  return indent + " " + arrows + "\n" + text;
}

std::string names_text(const Chart& chart, const ValueAxis& values, const std::string& indent) {
  std::string text;
  for (std::size_t each = 0; chart.series.size() > 1 && each < chart.series.size(); ++each)
    text += indent + " " + letter_of(each) + " " + chart.series[each].name + "\n";
  for (const ChartLevel& level : chart.levels)
    text += indent + " - " + level.label + ": " + value_text(level.value, values) + "\n";
  return text;
}

std::string with_axis(const Canvas& canvas, const Plot& plot, std::size_t margin) {
  std::vector<std::string> labels(rows);
  for (const double tick : plot.values.axis.ticks())
    labels[plot.row(tick * plot.values.unit.size)] = plot.values.axis.text(tick);
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string& label = labels[row];
    std::string line = std::string(margin - std::min(margin, label.size()), ' ') + label + " |" + canvas.line(row);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::size_t margin_for(const Axis& axis) {
  std::size_t margin = 0;
  for (const double tick : axis.ticks()) margin = std::max(margin, axis.text(tick).size());
  return margin;
}

}  // namespace

std::string chart_text(const Chart& chart, std::size_t columns) {
  const Chart shown = drawable(chart);
  constexpr std::size_t fewest = 40;
  constexpr std::size_t most = 200;
  constexpr std::string_view unit_name = "  MHz";
  Plot plot{.values = value_axis(shown, 5), .clocks = clock_axis(shown, 8)};
  const std::size_t margin = margin_for(plot.values.axis);
  const std::size_t room = std::clamp(columns, fewest, most);
  const std::size_t beside = margin + 2 + unit_name.size();
  plot.columns = room > beside + 20 ? room - beside : 20;

  std::vector<std::pair<std::size_t, std::string>> ticks;
  for (const double tick : plot.clocks.ticks) ticks.emplace_back(plot.column(tick), number_text(tick));
  const std::string indent(margin + 1, ' ');
  return shown.title + "\n" + std::string(name_of(shown.quantity)) + ", " + std::string(plot.values.unit.name) + "\n" +
         with_axis(drawn(shown, plot), plot, margin) + indent + "+" + std::string(plot.columns, '-') + "\n" + indent +
         " " + spaced(ticks, plot.columns) + std::string(unit_name) + "\n" + marks_text(shown, plot, indent) +
         names_text(shown, plot.values, indent);
}

}  // namespace sweetspot
