// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/axis.hpp"
#include "analysis/html_table.hpp"
#include "analysis/markup.hpp"
#include "analysis/report_parts.hpp"
#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

/// A figure keeps its unit beside it.
const std::string no_break_space = "\xC2\xA0";

struct Part {
  std::string_view id;
  std::string_view title;
  std::string html;
};

std::vector<Part> parts_of(const Report& report) {
  std::vector<Part> parts{{"summary", "Summary", summary_part(report)},
                          {"savings", "What each policy saves", savings_part(report)},
                          {"regret", "How far from the best clock", regret_part(report)},
                          {"workloads", "Workloads", workloads_part(report)},
                          {"trees", "Decision trees", trees_part(report)},
                          {"history", "Jobs that ran", history_part(report)},
                          {"board", "Board", board_part(report)},
                          {"method", "Method", method_part(report)}};
  const auto empty = [](const Part& part) { return part.html.empty(); };
  parts.erase(std::remove_if(parts.begin(), parts.end(), empty), parts.end());
  return parts;
}

std::string subtitle(const Report& report) {
  std::string text = "Made " + report.made + " by " + report.program;
  for (std::size_t each = 0; each < report.files.size(); ++each)
    text += (each == 0 ? " from " : ", ") + report.files[each].name;
  return text + ".";
}

std::string navigation(const std::vector<Part>& parts) {
  std::string text = "<nav aria-label=\"Contents\"><ul>\n";
  for (const Part& part : parts)
    text += "<li><a href=\"#" + std::string(part.id) + "\">" + std::string(part.title) + "</a></li>\n";
  return text + "</ul></nav>\n";
}

}  // namespace

std::string report_page(const Report& report) {
  const std::vector<Part> parts = parts_of(report);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      // Whatever slipped through the escaping could still neither run nor fetch anything.
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>GPU energy report</title>\n<style>\n" +
      std::string(report_style()) + std::string(chart_style()) +
      "</style>\n</head>\n<body>\n<header>\n<h1>GPU energy report</h1>\n" + html_paragraph("quiet", subtitle(report)) +
      (report.curves.empty() ? "" : "<p>Curves in this report: " + kind_labels(report, {}) + "</p>\n") +
      navigation(parts) + "</header>\n<main>\n";
  for (const Part& part : parts) {
    const std::string id(part.id);
    page += "<section id=\"" + id + "\" aria-labelledby=\"" + id + "-heading\">\n<h2 id=\"" + id + "-heading\">" +
            std::string(part.title) + "</h2>\n";
    page += part.html;
    page += "</section>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

std::string kind_of_source(std::string_view source) {
  constexpr std::array published{std::string_view("esainulab-slmdvfs"), std::string_view("bofl")};
  if (std::find(published.begin(), published.end(), source) != published.end()) return "published";
  for (const std::string_view kind : {"measured", "simulated", "published"}) {
    if (source.substr(0, kind.size()) != kind) continue;
    const std::string_view rest = source.substr(kind.size());
    const char next = rest.empty() ? ' ' : rest.front();
    if (next == ' ' || next == ':' || next == ',' || next == ';') return std::string(kind);
  }
  return {};
}

std::string kind_labels(const Report& report, std::optional<std::string_view> platform) {
  std::vector<std::string> kinds;
  for (const Curve& curve : report.curves) {
    if (platform && curve.platform != *platform) continue;
    std::string kind = kind_of_source(curve.source);
    if (kind.empty()) kind = "origin not said";
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(std::move(kind));
  }
  std::string text;
  for (const std::string& kind : kinds) text += " <span class=\"label\">" + escaped(kind) + "</span>";
  return text;
}

std::vector<std::string> policies_of(const Evaluation& evaluation) {
  std::vector<std::string> names;
  for (const PolicySummary& row : evaluation.summary) names.push_back(row.policy);
  return names;
}

std::span<const EvaluatedCurve> rows_of(const Report& report, std::size_t curve) {
  const std::size_t each = report.evaluation.summary.size();
  return std::span(report.evaluation.curves).subspan(curve * each, each);
}

std::string name_of(const Curve& curve) {
  return curve.workload.empty() ? curve.id : curve.workload;
}

std::string shown_policy(const std::string& policy) {
  if (policy == "none") return "none (MAXN)";
  if (policy == "oracle") return "oracle (best clock)";
  if (policy == "max") return "max (top clock)";
  return policy;
}

std::string share_in_words(const std::optional<double>& share) {
  if (!share) return "–";
  const double percent = std::round(*share * 1000) / 10;
  if (!std::isfinite(percent)) return "–";
  return fixed_text(percent == 0 ? 0 : percent, 1) + no_break_space + "%";  // no "-0.0"
}

std::string clock_in_words(const std::optional<Hertz>& clock) {
  return clock ? to_text(*clock) : "–";
}

std::string quantity_in_words(Quantity quantity, const std::optional<double>& value) {
  if (!value) return "–";
  const ReadableUnit unit = readable_unit(quantity, *value);
  const double shown = *value / unit.size;
  int decimals = 0;
  for (double size = std::abs(shown); size > 0 && size < 100 && decimals < 6; size *= 10) ++decimals;
  return fixed_text(shown, decimals) + no_break_space + std::string(unit.name);
}

std::string joined(std::span<const std::string> texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(between)) + text;
  return all;
}

std::string count_in_words(std::size_t count, std::string_view one) {
  return std::to_string(count) + " " + std::string(one) + (count == 1 ? "" : "s");
}

}  // namespace sweetspot
