// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/fit.hpp"

#include <algorithm>

#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/fit_text.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/analysis/curve_file.hpp"
#include "sweetspot/analysis/fit_report.hpp"
#include "sweetspot/wire/tree_file.hpp"

namespace sweetspot {
namespace {

/// "VDD_GPU_SOC+VDD_CPU_CV" as two labels.
std::vector<std::string> rails_in(const std::string& scope) {
  std::vector<std::string> rails;
  for (std::size_t begin = 0; begin < scope.size();) {
    const std::size_t end = std::min(scope.find('+', begin), scope.size());
    if (end > begin) rails.push_back(scope.substr(begin, end - begin));
    begin = end + 1;
  }
  return rails;
}

TreeFile tree_file(const DecisionTree& tree, const FitReport& report, const LabelledCurves& data,
                   const std::string& text) {
  const std::string count = std::to_string(report.rows);
  return {
      .tree = tree,
      .source = "sweetspot fit, sweetspot " SWEETSPOT_VERSION ": " + count + " curves, objective " + report.objective,
      .board = data.curves.front()->platform,
      .rails = rails_in(data.curves.front()->energy_scope),
      .data_hash = data_hash(text)};
}

}  // namespace

FitCommand::FitCommand(Program& program) : program_(program) {
  CLI::App& command =
      program.add_command("fit", "Makes a decision tree for policy `tree` from measured curves; needs no service",
                          "  sweetspot fit curves.csv -o tree.json\n"
                          "  sweetspot fit curves.csv -o tree.json --objective regret --platform agx-orin-64\n"
                          "The file is CSV, one run per row, as `docs/fit.md` describes it. The tree's settings are "
                          "searched by leaving out\n"
                          "one curve after the other. Nothing depends on chance: the same file gives the same tree.",
                          [this] { return run(); });
  command.add_option("data", data_, "Measured energies against the clock")->type_name("FILE.csv")->required();
  command.add_option("-o,--output", output_, "Tree file to write or replace; else it is only shown")
      ->type_name("TREE.json");
  command
      .add_option("--objective", objective_,
                  "accuracy: the best clock as often as possible; regret: the least energy above the best clock's")
      ->check(CLI::IsMember({"accuracy", "regret"}))
      ->type_name("NAME");
  command.add_option("--platform", platform_, "Only curves of this board")->type_name("NAME");
  command
      .add_option(
          "--features", features_,
          "What the tree may ask for: layers, hidden_size, mean_sequence_length, batch_size; else what the curves have")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_option("--name", name_, "The tree's name")->type_name("TEXT");
}

int FitCommand::run() {
  std::vector<Feature> features;
  for (const std::string& name : features_) {
    const auto feature = feature_named(name);
    if (!feature) return usage_error("--features: there is no '" + name + "'", "fit");
    features.push_back(*feature);
  }
  const auto input = read_curves(data_);
  if (!input) return fail_with(input.error());
  std::vector<Curve> curves = on_known_tables(input->curves, tables_for(input->curves));
  if (!platform_.empty())
    curves.erase(
        std::remove_if(curves.begin(), curves.end(), [this](const Curve& c) { return c.platform != platform_; }),
        curves.end());
  const auto data = labelled_curves(curves, std::move(features));
  if (!data) return fail_with(Error(data.error()).within(data_));
  const FitObjective objective = objective_ == "regret" ? FitObjective::regret : FitObjective::accuracy;
  const TreeFit fit = fit_tree(*data, objective);
  const auto tree = decision_tree_of(*data, fit.tree, name_);
  if (!tree) return fail_with(tree.error());
  const FitReport report = fit_report(*data, fit, objective);
  if (!output_.empty()) {
    const auto written = replace_file(output_, tree_file_text(tree_file(*tree, report, *data, input->text)));
    if (!written) return fail_with(written.error());
  }
  return print(program_.json ? fit_json(report) + "\n" : fit_text(report, *tree));
}

}  // namespace sweetspot
