// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/policy.hpp"

#include <algorithm>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

Policy policy_of(const JobSpec& spec, const PolicySettings& settings) {
  if (spec.policy) return policy_named(*spec.policy).value_or(settings.policy);
  return spec.frequency ? Policy::fixed : settings.policy;
}

/// What a policy answers before the board is asked. No clock: the reason says why there is no pin.
struct Wish {
  std::optional<Hertz> clock;
  Decision decision;
};

Wish one_fixed_clock(const PolicySettings& settings) {
  return {settings.ffg_clock,
          {.policy = "ffg", .reason = "one fixed clock for every job, " + to_text(settings.ffg_clock)}};
}

Wish fall_back(const PolicySettings& settings, std::string_view from, const std::string& why) {
  Wish wish = one_fixed_clock(settings);
  wish.decision.fallback = true;
  wish.decision.reason = "policy " + std::string(from) + " cannot answer: " + why + "; " + wish.decision.reason;
  return wish;
}

std::string path_text(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& question : path) text += (text.empty() ? "" : ", ") + question;
  return text;
}

Wish ask_tree(const JobSpec& spec, const DecisionTree& tree, std::string_view policy, const PolicySettings& settings) {
  const auto answer = tree.decide(spec);
  if (!answer) return fall_back(settings, policy, answer.error().reason);
  std::string reason = path_text(answer->path);
  reason += (reason.empty() ? "" : ": ") + to_text(answer->clock);
  return {answer->clock, {.policy = std::string(policy), .reason = std::move(reason), .path = answer->path}};
}

/// Where `adaptive` starts: what the tree says, or the fixed clock for a job that the tree cannot answer.
Wish first_guess(const JobSpec& spec, const PolicySettings& settings) {
  const DecisionTree& tree = settings.tree ? *settings.tree : mlg_tree();
  Decision decision{.policy = std::string(name_of(Policy::adaptive)), .reason = "starts at "};
  const auto answer = tree.decide(spec);
  const Hertz clock = answer ? answer->clock : settings.ffg_clock;
  decision.reason += to_text(clock);
  if (answer) {
    decision.reason += ", the tree's clock" + (answer->path.empty() ? "" : " (" + path_text(answer->path) + ")");
    decision.path = answer->path;
  } else {
    decision.reason += ", the fixed clock, since " + answer.error().reason;
  }
  return {clock, std::move(decision)};
}

Wish wish_of(const JobSpec& spec, const PolicySettings& settings) {
  switch (policy_of(spec, settings)) {
    case Policy::mlg:
      return ask_tree(spec, mlg_tree(), "mlg", settings);
    case Policy::tree:
      if (!settings.tree) return fall_back(settings, "tree", "no tree file is configured");
      return ask_tree(spec, *settings.tree, "tree", settings);
    case Policy::ffg:
      return one_fixed_clock(settings);
    case Policy::fixed:
      if (!spec.frequency) return fall_back(settings, "fixed", "the job gives no frequency_hz");
      return {spec.frequency, {.policy = "fixed", .reason = "the job asks for " + to_text(*spec.frequency)}};
    case Policy::none:
      return {std::nullopt, {.policy = "none", .reason = "no pin: the kernel governor keeps the clock"}};
    case Policy::adaptive:
      return first_guess(spec, settings);
  }
  return {};
}

/// Wishes of the spec that only measuring can meet; saying so beats silence.
void note_unused(const JobSpec& spec, Decision& decision) {
  if (is_adaptive(decision)) return;
  if (spec.energy_delay == true) decision.reason += "; energy_delay is not considered by policy " + decision.policy;
  if (spec.max_slowdown) decision.reason += "; max_slowdown is not considered by policy " + decision.policy;
  if (spec.finish_within_s) decision.reason += "; finish_within_s is not considered by policy " + decision.policy;
}

}  // namespace

void map_to_board(Decision& decision, Hertz wanted, const BoardClocks* clocks) {
  decision.clamped_from.reset();
  if (!clocks) {
    decision.frequency = wanted;
    decision.reason += "; the GPU node is not there yet, so the clock is not mapped to the board's table";
    return;
  }
  const Hertz nearest = clocks->table.nearest(wanted);
  const std::optional<Hertz> allowed = clocks->table.highest_within(clocks->cap);
  if (!allowed) {
    decision.frequency.reset();
    decision.clamped_from = wanted;
    decision.reason += "; the board's cap " + to_text(clocks->cap) + " is below its lowest clock " +
                       to_text(clocks->table.lowest()) + ", so nothing is pinned";
    return;
  }
  decision.frequency = std::min(nearest, *allowed);
  if (decision.frequency == wanted) return;
  decision.clamped_from = wanted;
  decision.reason += *allowed < nearest
                         ? "; cut to " + to_text(*allowed) + " by the board's cap " + to_text(clocks->cap)
                         : "; " + to_text(nearest) + " is the nearest clock of this board";
}

Decision decide(const JobSpec& spec, const PolicySettings& settings, const BoardClocks* clocks) {
  Wish wish = wish_of(spec, settings);
  if (wish.clock) map_to_board(wish.decision, *wish.clock, clocks);
  note_unused(spec, wish.decision);
  return std::move(wish.decision);
}

bool has_second_stage(const Decision& decision, const PolicySettings& settings) {
  return settings.second_stage.enabled && decision.policy == name_of(Policy::mlg);
}

bool is_adaptive(const Decision& decision) {
  return decision.policy == name_of(Policy::adaptive);
}

Decision after_second_stage(const Decision& first, double mean_load_percent, const SecondStage& stage,
                            const BoardClocks* clocks) {
  Decision decision = first;
  const std::string load = "mean GPU load " + fixed_text(mean_load_percent, 1) + " %";
  const std::string limit = fixed_text(stage.load_limit_percent, 1) + " %";
  if (!(mean_load_percent <= stage.load_limit_percent)) {
    decision.reason += "; second stage: " + load + " > " + limit + ", the clock stays";
    return decision;
  }
  decision.path.push_back(load + " <= " + limit);
  decision.reason += "; second stage: " + load + " <= " + limit + ": " + to_text(stage.clock);
  map_to_board(decision, stage.clock, clocks);
  return decision;
}

}  // namespace sweetspot
