// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/html_table.hpp"
#include "analysis/report_parts.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

constexpr std::string_view how_policies_were_charged =
    "Every policy was replayed on these curves by the code that the service decides with, and is charged what the "
    "curve "
    "has at the clock it chose. Nothing is interpolated, and a saving is given only against a baseline that the curve "
    "has. What is not there is –. Labels say whether figures are measured, simulated or published, as their files do.";

std::string or_unknown(const std::optional<std::string>& text) {
  return text && !text->empty() ? *text : "not known";
}

std::string clocks_in_words(const std::vector<Hertz>& clocks) {
  std::vector<std::string> texts;
  texts.reserve(clocks.size());
  for (const Hertz clock : clocks) texts.push_back(to_text(clock));
  return texts.empty() ? "not known" : joined(texts, ", ");
}

std::string board_facts(const StatusReport& status) {
  std::vector<HtmlFact> facts{
      {"Board", or_unknown(status.board.model)},
      {"SoC", or_unknown(status.board.soc)},
      {"L4T", or_unknown(status.board.l4t)},
      {"JetPack", or_unknown(status.board.jetpack)},
      {"Power mode", or_unknown(status.power_mode)},
      {"GPU clocks", clocks_in_words(status.gpu.available)},
      {"Limits as found", clock_in_words(status.gpu.min) + " to " + clock_in_words(status.gpu.max)},
      {"Kernel's governor", or_unknown(status.gpu.governor)},
      {"Policy", status.settings.policy},
      {"Objective", status.settings.objective},
      {"Sampled every", std::to_string(status.sampler.period_ms) + " ms while a job runs"},
      {"Service", "sweetspotd " + status.version}};
  if (status.settings.tree) facts.push_back({"Tree", *status.settings.tree});
  for (const StatusReport::Trouble& trouble : status.health)
    facts.push_back({"Trouble: " + trouble.reason, trouble.detail});
  return html_facts(facts);
}

std::string why_left_out(const StatusReport& status, const std::string& rail) {
  for (const StatusReport::RailLeftOut& each : status.rails_left_out) {
    if (each.name == rail) return each.reason;
  }
  return {};
}

HtmlTable rails_table(const StatusReport& status) {
  HtmlTable table("The board's power rails", {"Rail", "In the joules?", "Why"}, 3);
  for (const StatusReport::Rail& rail : status.rails) {
    table.add({{.text = rail.name},
               {.text = rail.counted ? "counted" : "left out"},
               {.text = rail.counted ? "objective " + status.settings.objective : why_left_out(status, rail.name),
                .classes = "long"}});
  }
  for (const StatusReport::RailLeftOut& each : status.rails_left_out) {
    const auto same = [&each](const StatusReport::Rail& rail) { return rail.name == each.name; };
    if (std::none_of(status.rails.begin(), status.rails.end(), same))
      table.add({{.text = each.name}, {.text = "left out"}, {.text = each.reason, .classes = "long"}});
  }
  return table;
}

/// What the curves say of how they were measured, one row per way.
std::string curves_table(const Report& report) {
  if (report.curves.empty()) return {};
  struct Ways {
    std::size_t curves = 0;
    std::size_t runs = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string, std::string>, Ways> ways;
  for (const Curve& curve : report.curves) {
    Ways& way = ways[{curve.platform, curve.power_mode, curve.energy_scope, curve.source}];
    ++way.curves;
    for (const CurvePoint& point : curve.points) way.runs += point.energy_j.count();
    if (curve.default_governor) way.runs += curve.default_governor->energy_j.count();
  }
  HtmlTable table("What the joules of the curves are of, as their files say",
                  {"Board", "Power mode", "Rails counted", "Source", "Kind", "Workloads", "Runs"}, 5);
  const auto said = [](const std::string& text) { return text.empty() ? std::string("not said") : text; };
  for (const auto& [key, way] : ways) {
    const auto& [platform, mode, rails, source] = key;
    table.add({{.text = said(platform)},
               {.text = said(mode)},
               {.text = said(rails)},
               {.text = said(source), .classes = "long"},
               {.text = said(kind_of_source(source))},
               {.text = std::to_string(way.curves)},
               {.text = std::to_string(way.runs)}});
  }
  return table.html();
}

std::string coverage_of(const std::vector<EnergyRecord>& jobs) {
  std::vector<double> shares;
  std::size_t invalid = 0;
  for (const EnergyRecord& job : jobs) {
    shares.push_back(job.coverage);
    invalid += job.energy_valid ? 0 : 1;
  }
  if (shares.empty()) return {};
  std::sort(shares.begin(), shares.end());
  return "Of the jobs above, the least covered was measured for " + share_in_words(shares.front()) +
         " of its time, the middle one for " + share_in_words(shares[shares.size() / 2]) + "; " +
         std::to_string(invalid) + " of " + count_in_words(shares.size(), "job") +
         " missed the limit, and their joules are in no sum.";
}

std::string meanings() {
  return html_facts({{"none (MAXN)", "nothing pinned: the kernel's default governor chooses"},
                     {"ffg", "one fixed clock for every job"},
                     {"mlg", "the paper's decision tree: layers and mean sequence length"},
                     {"adaptive", "starts as mlg, then measures joules per step; every probe is charged"},
                     {"tree:…", "a tree made by `sweetspot fit`"},
                     {"oracle", "the best clock that was run: what no choice of one clock can beat"},
                     {"max", "the board's highest clock, pinned"},
                     {"Regret", "energy above that of the best clock that was run, a share of it"},
                     {"±", "standard deviation of one run over the repeats at that clock; none for single runs"},
                     {"Coverage", "share of a job's time for which every counted rail was measured"}});
}

HtmlTable files_table(const Report& report) {
  HtmlTable table("Files this report was made from", {"File", "Hash", "Workloads"}, 2);
  for (const ReportedFile& file : report.files)
    table.add({{.text = file.name}, {.text = file.hash}, {.text = std::to_string(file.curves)}});
  return table;
}

}  // namespace

std::string board_part(const Report& report) {
  if (!report.status) return html_paragraph("", report.no_status);
  return board_facts(*report.status) + rails_table(*report.status).html() +
         html_paragraph("quiet", "As the board's own files say. A simulated board answers as a real one does.");
}

std::string method_part(const Report& report) {
  std::string text;
  if (!report.curves.empty()) text += html_paragraph("", how_policies_were_charged);
  text += curves_table(report);
  const std::string coverage = coverage_of(report.jobs);
  if (!coverage.empty()) text += html_paragraph("", coverage);
  if (!report.files.empty()) text += files_table(report).html();
  return text + "<h3>What the words mean</h3>\n" + meanings();
}

}  // namespace sweetspot
