// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sweetspot/core/decision_tree.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The decision tree of the paper (J.-G. Park et al., "Energy-Efficient GPU DVFS for Fine-Tuning of SLMs on
/// Resource-constrained Embedded Devices", 2026): layers <= 7: length <= 32.5 -> 510 MHz, else 612; layers > 7:
/// length <= 53.0 -> 714, else 816. Embedded, so that the daemon needs no file; config/trees/mlg.json says the same.
[[nodiscard]] const DecisionTree& mlg_tree();

/// The paper's secondary condition, decided once per job after a measured window, since load is unknown before the job
/// runs. On the authors' own Pythia-14M curve it costs energy (docs/policies.md); it is on because the paper has it.
struct SecondStage {
  bool enabled = true;
  double load_limit_percent = 22.0;  ///< paper: GPU utilisation <= 22.0
  Hertz clock = megahertz(1020);     ///< paper
  Duration settle = seconds(10);     ///< from the pin to the window's start; ours
  Duration window = seconds(30);     ///< the window's length; ours
  friend bool operator==(const SecondStage&, const SecondStage&) = default;
};

}  // namespace sweetspot
