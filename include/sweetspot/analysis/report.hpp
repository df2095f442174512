// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/wire/characterisation_json.hpp"
#include "sweetspot/wire/evaluation_json.hpp"
#include "sweetspot/wire/status_report.hpp"
#include "sweetspot/wire/tree_file.hpp"

namespace sweetspot {

/// A file that curves were read from.
struct ReportedFile {
  std::string name;
  std::string hash;  ///< data_hash() of it
  std::size_t curves = 0;
};

struct ReportedTree {
  std::string name;  ///< as the policies call it: "mlg", "tree:mine.json"
  TreeFile file;
};

/// Everything a report shows. What is empty is said to be missing, with the reason given.
struct Report {
  std::string made;     ///< date and time, as it is to be printed
  std::string program;  ///< what made it, for example "sweetspot 0.1.0"
  std::vector<ReportedFile> files;
  std::vector<Curve> curves;
  std::vector<CharacterisedCurve> characterised;  ///< of each curve
  Evaluation evaluation;                          ///< of these curves, the same policies for each
  std::vector<ReportedTree> trees;
  std::vector<EnergyRecord> jobs;  ///< oldest first
  std::string no_jobs;             ///< why there are none
  std::optional<StatusReport> status;
  std::string no_status;  ///< why there is none
};

/// Workloads that are drawn; those beyond are in the tables only, with every point.
inline constexpr std::size_t most_workloads_drawn = 40;
/// Leaves of a tree that is drawn; a larger one is outlined in text.
inline constexpr std::size_t most_leaves_drawn = 48;

/// The report as one HTML file: no scripts, nothing fetched, a table for every drawing. Names from files are escaped.
/// Time and memory in proportion to what is given.
[[nodiscard]] std::string report_page(const Report& report);

/// What kind of figures a source has, by its own first word: "measured", "simulated" or "published"; the sources of the
/// published curves that come with the program are known. Empty: it does not say.
[[nodiscard]] std::string kind_of_source(std::string_view source);

/// A tree as an <svg> element, root on the left; empty for more leaves than are drawn.
[[nodiscard]] std::string tree_element(const DecisionTree& tree, const std::string& id, const std::string& title);

}  // namespace sweetspot
