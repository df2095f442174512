// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/decision_tree.hpp"
#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/mlg.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// Which clock a job gets, and why, in words a user can check.
struct Decision {
  std::string policy;              ///< the policy that answered: "ffg" after a fallback
  std::optional<Hertz> frequency;  ///< empty: no pin, the kernel governor keeps the clock
  std::string reason;
  std::vector<std::string> path;      ///< the questions of the tree, root first
  std::optional<Hertz> clamped_from;  ///< what the policy wanted, where the board's table or cap changed it
  bool fallback = false;              ///< the policy asked for could not answer
  friend bool operator==(const Decision&, const Decision&) = default;
};

/// What the policies need besides the job, from the configuration. Passive; jobs keep a copy of what held at their
/// start.
struct PolicySettings {
  Policy policy = Policy::mlg;       ///< for jobs that name none
  Hertz ffg_clock = megahertz(612);  ///< lowest regret on the published curves; the paper's own constant is not public
  SecondStage second_stage;
  std::optional<DecisionTree> tree;  ///< for policy "tree"; also where "adaptive" starts, instead of mlg's tree
  friend bool operator==(const PolicySettings&, const PolicySettings&) = default;
};

/// What the board can do now: its clocks, and the highest one allowed (max_freq as found before any pin of ours).
struct BoardClocks {
  FrequencyTable table;
  Hertz cap;
  friend bool operator==(const BoardClocks&, const BoardClocks&) = default;
};

/// Runs the job's policy. `clocks` is null while the GPU node is missing: then the policy's own clock is answered and
/// the reason says that it is not mapped yet. Expects a spec without a problem_in().
[[nodiscard]] Decision decide(const JobSpec& spec, const PolicySettings& settings, const BoardClocks* clocks);

/// Maps what a policy wanted to the board: nearest table entry, never above the cap. Appends to the reason what
/// changed.
void map_to_board(Decision& decision, Hertz wanted, const BoardClocks* clocks);

/// Whether a second stage follows this decision of decide(): policy mlg answered (no fallback did) and the stage is on.
[[nodiscard]] bool has_second_stage(const Decision& decision, const PolicySettings& settings);

/// Whether policy adaptive answered: decide() says where the job starts, its AdaptiveRun goes on from there.
[[nodiscard]] bool is_adaptive(const Decision& decision);

/// The decision after the second stage has measured `mean_load_percent`: the same one with the reason extended, or, at
/// or below the limit, the second stage's clock.
[[nodiscard]] Decision after_second_stage(const Decision& first, double mean_load_percent, const SecondStage& stage,
                                          const BoardClocks* clocks);

}  // namespace sweetspot
