// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "sweetspot/analysis/tree_fit.hpp"
#include "sweetspot/core/frequency_text.hpp"

namespace sweetspot {
namespace {

constexpr Feature features_of_jobs[] = {Feature::layers, Feature::hidden_size, Feature::mean_sequence_length,
                                        Feature::batch_size};

std::optional<double> feature_in(const Curve& curve, Feature feature) {
  return feature_of(job_of(curve), feature);
}

/// One tree is for one board and one set of rails.
Result<void> check_alike(std::span<const Curve> curves, std::string Curve::*member, const std::string& what) {
  for (const Curve& curve : curves) {
    if (curve.*member == curves.front().*member) continue;
    return failure("the curves are of more than one " + what + ": '" + curves.front().*member + "' and '" +
                   curve.*member + "'; expected one, since a tree is for one board and one set of rails");
  }
  return {};
}

std::vector<Feature> usual_features(std::span<const Curve> curves) {
  std::vector<Feature> usual;
  for (const Feature feature : features_of_jobs) {
    const auto having = std::count_if(curves.begin(), curves.end(),
                                      [feature](const Curve& curve) { return feature_in(curve, feature).has_value(); });
    if (having > 0 && 2 * static_cast<std::size_t>(having) >= curves.size()) usual.push_back(feature);
  }
  return usual;
}

std::vector<Hertz> usual_clocks(std::span<const Curve> curves) {
  std::map<Hertz, std::size_t> having;
  for (const Curve& curve : curves) {
    for (const CurvePoint& point : curve.points) ++having[point.clock];
  }
  std::vector<Hertz> usual;
  for (const auto& [clock, count] : having) {
    if (2 * count >= curves.size()) usual.push_back(clock);
  }
  return usual;
}

/// Why a curve cannot be a row; empty when it can.
std::string why_left_out(const Curve& curve, const LabelledCurves& data) {
  for (const Feature feature : data.features) {
    if (!feature_in(curve, feature)) return "has no " + std::string(name_of(feature));
  }
  for (const Hertz clock : data.classes) {
    if (!curve.at(clock)) return "was not measured at " + to_text(clock) + ", so its best clock is not known";
  }
  return {};
}

void add_row(const Curve& curve, LabelledCurves& data) {
  data.curves.push_back(&curve);
  for (std::size_t i = 0; i < data.features.size(); ++i)
    data.rows.columns[i].push_back(*feature_in(curve, data.features[i]));
  std::vector<double> energies;
  for (const Hertz clock : data.classes) energies.push_back(curve.at(clock)->energy());
  const auto least = std::min_element(energies.begin(), energies.end());
  data.rows.labels.push_back(static_cast<std::uint32_t>(least - energies.begin()));
  for (const double energy : energies) data.rows.costs.push_back(energy / *least - 1);
}

}  // namespace

Result<LabelledCurves> labelled_curves(std::span<const Curve> curves, std::vector<Feature> features) {
  if (curves.empty()) return failure("there are no curves; expected at least two");
  if (auto alike = check_alike(curves, &Curve::platform, "platform"); !alike) return failure(std::move(alike.error()));
  if (auto alike = check_alike(curves, &Curve::energy_scope, "energy_scope"); !alike)
    return failure(std::move(alike.error()));
  LabelledCurves data;
  data.features = features.empty() ? usual_features(curves) : std::move(features);
  if (data.features.empty())
    return failure("the curves have no features; expected layers, hidden_size, mean_sequence_length or batch_size");
  data.classes = usual_clocks(curves);
  data.rows.classes = static_cast<std::uint32_t>(data.classes.size());
  data.rows.columns.resize(data.features.size());
  for (const Curve& curve : curves) {
    std::string reason = why_left_out(curve, data);
    if (reason.empty()) {
      add_row(curve, data);
    } else {
      data.left_out.push_back({curve.id, std::move(reason)});
    }
  }
  if (data.curves.size() >= 2 && !data.classes.empty()) return data;
  std::string left_out;
  if (!data.left_out.empty())
    left_out = ", for example " + data.left_out.front().curve_id + " " + data.left_out.front().reason;
  return failure("too few curves are complete: " + std::to_string(data.curves.size()) + " of " +
                 std::to_string(curves.size()) + "; expected two at least" + left_out);
}

double regret_of(const LabelledCurves& data, std::size_t row, std::uint32_t answer) {
  return data.rows.costs[row * data.rows.classes + answer];
}

}  // namespace sweetspot
