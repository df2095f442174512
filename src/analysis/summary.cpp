// SPDX-License-Identifier: Apache-2.0
#include "analysis/summary.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace sweetspot {
namespace {

std::optional<double> mean_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The figures of one policy, column by column.
struct RegretColumns {
  std::vector<double> regret, saving_vs_maxn, saving_vs_max, slowdown, probe_share;
  std::size_t curves = 0;
  std::size_t too_slow = 0;
  std::size_t fallbacks = 0;

  void add(const EvaluatedCurve& row) {
    const auto note = [](std::vector<double>& column, const std::optional<double>& value) {
      if (value) column.push_back(*value);
    };
    if (row.regret) ++curves;
    if (row.regrets.empty()) note(regret, row.regret);
    regret.insert(regret.end(), row.regrets.begin(), row.regrets.end());
    note(saving_vs_maxn, row.saving_vs_maxn);
    note(saving_vs_max, row.saving_vs_max);
    note(slowdown, row.slowdown);
    note(probe_share, row.probe_share);
    if (row.too_slow) ++too_slow;
    if (row.fallback) ++fallbacks;
  }
};

PolicySummary summary_of(const std::string& policy, RegretColumns columns) {
  PolicySummary summary{.policy = policy,
                        .curves = columns.curves,
                        .regret_mean = mean_of(columns.regret),
                        .saving_vs_maxn_mean = mean_of(columns.saving_vs_maxn),
                        .saving_vs_max_mean = mean_of(columns.saving_vs_max),
                        .slowdown_mean = mean_of(columns.slowdown),
                        .probe_share_mean = mean_of(columns.probe_share),
                        .too_slow = columns.too_slow,
                        .fallbacks = columns.fallbacks};
  if (columns.regret.empty()) return summary;
  std::sort(columns.regret.begin(), columns.regret.end());
  const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(columns.regret.size())));
  summary.regret_p95 = columns.regret[rank - 1];
  summary.regret_worst = columns.regret.back();
  return summary;
}

}  // namespace

std::vector<PolicySummary> summaries_of(std::span<const EvaluatedCurve> rows, std::span<const std::string> policies) {
  std::unordered_map<std::string, RegretColumns> by_policy;
  for (const EvaluatedCurve& row : rows) by_policy[row.policy].add(row);
  std::vector<PolicySummary> summaries;
  for (const std::string& policy : policies) summaries.push_back(summary_of(policy, std::move(by_policy[policy])));
  return summaries;
}

std::vector<PlatformSummary> summaries_by_platform(std::span<const EvaluatedCurve> rows,
                                                   std::span<const std::string> policies) {
  std::vector<std::vector<EvaluatedCurve>> parts;
  std::unordered_map<std::string, std::size_t> place;
  for (const EvaluatedCurve& row : rows) {
    const auto [found, is_new] = place.try_emplace(row.platform, parts.size());
    if (is_new) parts.emplace_back();
    parts[found->second].push_back(row);
  }
  std::vector<PlatformSummary> platforms;
  platforms.reserve(parts.size());
  for (const std::vector<EvaluatedCurve>& part : parts)
    platforms.push_back({part.front().platform, summaries_of(part, policies)});
  return platforms;
}

}  // namespace sweetspot
