// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// One curve of a fit. "Held out": the answer of a tree that was grown without this curve.
struct FittedWorkload {
  std::string curve_id;
  Hertz best;  ///< the clock of least energy: the label
  Hertz answer;
  Hertz held_out;
  double regret = 0;  ///< energy at `answer` above the least, a share of it
  double regret_held_out = 0;
};

struct CurveLeftOut {
  std::string curve_id;
  std::string reason;
};

/// How good a tree is. Shares are of 1.
struct FitFigures {
  double accuracy = 0;  ///< answers that are the label
  double regret_mean = 0;
  double regret_worst = 0;
};

/// The answer of `sweetspot fit`.
struct FitReport {
  std::string objective;
  std::size_t rows = 0;
  std::vector<CurveLeftOut> left_out;
  std::vector<std::string> features;
  std::string criterion;
  std::uint32_t depth = 0;
  std::size_t leaf_rows = 0;
  std::optional<double> pruned;  ///< strength of pruning; empty: none
  std::size_t folds = 0;         ///< as many as rows: leave-one-out
  FitFigures held_out;
  FitFigures fitted;     ///< on the rows the tree was grown from: how well it remembers, not how well it foresees
  FitFigures one_clock;  ///< the best single clock for all rows, chosen in hindsight
  Hertz one_clock_is;
  std::vector<Hertz> classes;
  std::vector<std::vector<std::size_t>> confusion;  ///< [label][held-out answer], indices into `classes`
  std::vector<FittedWorkload> workloads;
};

[[nodiscard]] std::string fit_json(const FitReport& report);

}  // namespace sweetspot
