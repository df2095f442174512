// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/analysis/chart.hpp"
#include "sweetspot/analysis/report.hpp"

namespace sweetspot {

// The parts of a report, as HTML below their headings. Empty: there is nothing to say.
[[nodiscard]] std::string summary_part(const Report& report);
[[nodiscard]] std::string savings_part(const Report& report);
[[nodiscard]] std::string regret_part(const Report& report);
[[nodiscard]] std::string workloads_part(const Report& report);
[[nodiscard]] std::string trees_part(const Report& report);
[[nodiscard]] std::string history_part(const Report& report);
[[nodiscard]] std::string board_part(const Report& report);
[[nodiscard]] std::string method_part(const Report& report);

/// A label per kind of figures that the curves have, those of one board or all.
[[nodiscard]] std::string kind_labels(const Report& report, std::optional<std::string_view> platform);
/// The policies that were compared, in their order.
[[nodiscard]] std::vector<std::string> policies_of(const Evaluation& evaluation);
/// What each of them did with one curve.
[[nodiscard]] std::span<const EvaluatedCurve> rows_of(const Report& report, std::size_t curve);

/// A workload as people call it; the curve's id where it has no name.
[[nodiscard]] std::string name_of(const Curve& curve);
/// "none (MAXN)": a policy with what its name does not say.
[[nodiscard]] std::string shown_policy(const std::string& policy);

/// A share of 1 as "8.4 %"; "–" for none.
[[nodiscard]] std::string share_in_words(const std::optional<double>& share);
/// A clock, or "–".
[[nodiscard]] std::string clock_in_words(const std::optional<Hertz>& clock);
/// A quantity in the unit that suits it, three digits that count: "41.0 kJ", "24.1 min"; "–" for none.
[[nodiscard]] std::string quantity_in_words(Quantity quantity, const std::optional<double>& value);
[[nodiscard]] std::string joined(std::span<const std::string> texts, std::string_view between);

/// "1 workload", "2 workloads".
[[nodiscard]] std::string count_in_words(std::size_t count, std::string_view one);

/// Bars from zero, a group per name and a bar per policy, as an <svg> element. Shares of 1.
struct BarGroup {
  std::string name;
  std::vector<std::optional<double>> shares;  ///< of each policy
};
struct BarChart {
  std::string id;
  std::string title;
  std::vector<std::string> policies;
  std::vector<BarGroup> groups;
};
[[nodiscard]] std::string bars_element(const BarChart& chart);

/// The style sheet of the page, without that of its charts.
[[nodiscard]] std::string_view report_style();

}  // namespace sweetspot
