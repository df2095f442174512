// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/analysis/fit_report.hpp"

#include <algorithm>

namespace sweetspot {
namespace {

std::string name_of(SplitCriterion criterion) {
  switch (criterion) {
    case SplitCriterion::gini:
      return "gini";
    case SplitCriterion::entropy:
      return "entropy";
    case SplitCriterion::cost:
      return "regret";
  }
  return {};
}

FitFigures figures_of(const LabelledCurves& data, const std::vector<std::uint32_t>& answers) {
  FitFigures figures;
  for (std::size_t row = 0; row < answers.size(); ++row) {
    const double regret = regret_of(data, row, answers[row]);
    if (answers[row] == data.rows.labels[row]) ++figures.accuracy;
    figures.regret_mean += regret;
    figures.regret_worst = std::max(figures.regret_worst, regret);
  }
  figures.accuracy /= static_cast<double>(answers.size());
  figures.regret_mean /= static_cast<double>(answers.size());
  return figures;
}

/// The one clock that costs the rows least, what any tree must beat.
std::uint32_t best_single_class(const LabelledCurves& data) {
  std::vector<double> sums(data.classes.size());
  for (std::size_t row = 0; row < data.rows.count(); ++row) {
    for (std::uint32_t each = 0; each < sums.size(); ++each) sums[each] += regret_of(data, row, each);
  }
  return static_cast<std::uint32_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
}

}  // namespace

FitReport fit_report(const LabelledCurves& data, const TreeFit& fit, FitObjective objective) {
  const std::uint32_t single = best_single_class(data);
  FitReport report{.objective = objective == FitObjective::regret ? "regret" : "accuracy",
                   .rows = data.rows.count(),
                   .criterion = name_of(fit.choice.criterion),
                   .depth = fit.choice.depth,
                   .leaf_rows = fit.choice.leaf_rows,
                   .folds = fit.folds,
                   .held_out = figures_of(data, fit.held_out),
                   .fitted = figures_of(data, fit.answers),
                   .one_clock = figures_of(data, std::vector<std::uint32_t>(data.rows.count(), single)),
                   .one_clock_is = data.classes[single],
                   .classes = data.classes};
  for (const LabelledCurves::LeftOut& curve : data.left_out) report.left_out.push_back({curve.curve_id, curve.reason});
  for (const Feature feature : data.features) report.features.emplace_back(name_of(feature));
  if (fit.choice.pruned >= 0) report.pruned = fit.choice.pruned;
  report.confusion.assign(data.classes.size(), std::vector<std::size_t>(data.classes.size()));
  for (std::size_t row = 0; row < data.rows.count(); ++row) {
    ++report.confusion[data.rows.labels[row]][fit.held_out[row]];
    report.workloads.push_back({.curve_id = data.curves[row]->id,
                                .best = data.classes[data.rows.labels[row]],
                                .answer = data.classes[fit.answers[row]],
                                .held_out = data.classes[fit.held_out[row]],
                                .regret = regret_of(data, row, fit.answers[row]),
                                .regret_held_out = regret_of(data, row, fit.held_out[row])});
  }
  return report;
}

}  // namespace sweetspot
