// SPDX-License-Identifier: Apache-2.0
#include "wire/config_table.hpp"

#include <array>

namespace sweetspot {
namespace {

constexpr ChoiceKey policy_key{[](const Config& c) { return name_of(c.governor.policy.policy); },
                               [](Config& c, std::string_view name) {
                                 const auto policy = policy_named(name);
                                 // `fixed` needs a clock from each job: it is no default for jobs that say nothing.
                                 if (!policy || *policy == Policy::fixed) return false;
                                 c.governor.policy.policy = *policy;
                                 return true;
                               },
                               "mlg, ffg, none, tree or adaptive"};

constexpr ChoiceKey objective_key{[](const Config& c) { return name_of(c.governor.rails.objective); },
                                  [](Config& c, std::string_view name) {
                                    const auto objective = objective_named(name);
                                    if (objective) c.governor.rails.objective = *objective;
                                    return objective.has_value();
                                  },
                                  "gpu+cpu or module"};

constexpr ChoiceKey arbitration_key{[](const Config& c) { return name_of(c.governor.arbitration); },
                                    [](Config& c, std::string_view name) {
                                      const auto rule = arbitration_named(name);
                                      if (rule) c.governor.arbitration = *rule;
                                      return rule.has_value();
                                    },
                                    "highest, newest or lowest"};

constexpr std::string_view name_of_style(PinStyle style) {
  switch (style) {
    case PinStyle::exact:
      return "exact";
    case PinStyle::cap:
      return "cap";
  }
  return {};
}

constexpr ChoiceKey pin_style_key{[](const Config& c) { return name_of_style(c.clock.pin_style); },
                                  [](Config& c, std::string_view name) {
                                    for (const PinStyle style : {PinStyle::exact, PinStyle::cap}) {
                                      if (name != name_of_style(style)) continue;
                                      c.clock.pin_style = style;
                                      return true;
                                    }
                                    return false;
                                  },
                                  "exact or cap"};

constexpr std::array table{
    ConfigRow{"policy", "How the clock of a job is chosen that names no policy.", policy_key},
    ConfigRow{"ffg_clock", "The clock of policy ffg, which is also the fallback of the others.",
              ClockKey{[](Config& c) -> Hertz& { return c.governor.policy.ffg_clock; }}},
    ConfigRow{"tree_file", "The file with the tree of policy tree; an absolute path.",
              TextKey{[](Config& c) -> std::optional<std::string>& { return c.tree_file; }}},
    ConfigRow{"objective", "Which rails are counted: those of GPU and CPU, as in the paper, or all of the module.",
              objective_key},
    ConfigRow{
        "rails", "Labels of the rails to count, instead of the objective's.",
        TextListKey{[](Config& c) -> std::optional<std::vector<std::string>>& { return c.governor.rails.labels; }}},
    ConfigRow{"arbitration", "Whose clock wins when several jobs run.", arbitration_key},
    ConfigRow{"pin_style",
              "`exact` sets both limits of the clock, `cap` only the upper one: an idle GPU may then slow down.",
              pin_style_key},
    ConfigRow{"minimum_coverage",
              "Share of a job's time that must have been measured for its energy to count as valid.",
              NumberKey{[](Config& c) -> double& { return c.governor.minimum_coverage; }, 0, 1}},
    ConfigRow{"log_samples_s", "How often the rails are written to the journal while a job runs.",
              TimeKey{[](Config& c) -> Duration& { return c.sampling.log_period; }, TimeUnit::seconds, 1, 86400, true}},
    ConfigRow{"last_sample_wait_s", "How long an ending job waits for its last sample.",
              TimeKey{[](Config& c) -> Duration& { return c.governor.last_sample_wait; }, TimeUnit::seconds, 0.01, 4}},
    ConfigRow{"learning", "Jobs under policy adaptive start where jobs like them stayed, and what they learn is kept.",
              SwitchKey{[](Config& c) -> bool& { return c.governor.adaptive.learning; }}},
    ConfigRow{"second_stage.enabled",
              "The paper's second condition: a job that loads the GPU little gets another clock.",
              SwitchKey{[](Config& c) -> bool& { return c.governor.policy.second_stage.enabled; }}},
    ConfigRow{
        "second_stage.load_limit_percent", "A mean GPU load up to this counts as little.",
        NumberKey{[](Config& c) -> double& { return c.governor.policy.second_stage.load_limit_percent; }, 0, 100}},
    ConfigRow{"second_stage.clock", "The clock of such a job.",
              ClockKey{[](Config& c) -> Hertz& { return c.governor.policy.second_stage.clock; }}},
    ConfigRow{"second_stage.settle_s", "Time from the pin to the start of the window in which the load is measured.",
              TimeKey{[](Config& c) -> Duration& { return c.governor.policy.second_stage.settle; }, TimeUnit::seconds,
                      0, 3600}},
    ConfigRow{"second_stage.window_s", "Length of that window.",
              TimeKey{[](Config& c) -> Duration& { return c.governor.policy.second_stage.window; }, TimeUnit::seconds,
                      1, 3600}},
    ConfigRow{"adaptive.window_s", "Policy adaptive measures joules per step over stretches at least so long.",
              TimeKey{[](Config& c) -> Duration& { return c.governor.adaptive.window; }, TimeUnit::seconds, 0.1, 600}},
    ConfigRow{"adaptive.settle_s", "How long it waits after a change of clock before it measures.",
              TimeKey{[](Config& c) -> Duration& { return c.governor.adaptive.settle; }, TimeUnit::seconds, 0, 600}},
    ConfigRow{"adaptive.max_slowdown",
              "A step may take so many times what it takes at the highest clock; 0: no limit, else at least 1.",
              NumberKey{[](Config& c) -> double& { return c.governor.adaptive.max_slowdown; }, 0, 1000}},
    ConfigRow{"adaptive.energy_delay", "Least energy times time instead of least energy.",
              SwitchKey{[](Config& c) -> bool& { return c.governor.adaptive.energy_delay; }}},
    ConfigRow{"sampling.period_ms", "How often the rails are read while a job or a watcher needs it.",
              TimeKey{[](Config& c) -> Duration& { return c.sampling.period; }, TimeUnit::milliseconds, 5, 10000}},
    ConfigRow{"sampling.longest_step_s", "Samples further apart have a gap between them; at least two periods.",
              TimeKey{[](Config& c) -> Duration& { return c.sampling.longest_step; }, TimeUnit::seconds, 0.01, 60}},
    ConfigRow{"clock.gpu_node", "The GPU's devfreq directory, instead of the one found.",
              TextKey{[](Config& c) -> std::optional<std::string>& { return c.clock.gpu_node; }}},
    ConfigRow{"clock.check_s", "How often a pinned clock is looked at.",
              TimeKey{[](Config& c) -> Duration& { return c.clock.check_period; }, TimeUnit::seconds, 0.2, 60}},
    ConfigRow{"clock.relax_s", "A GPU without load for so long is let go, until the next sample that shows a load.",
              TimeKey{[](Config& c) -> Duration& { return c.clock.relax_after; }, TimeUnit::seconds, 1, 3600, true}},
    ConfigRow{"clock.attempts", "How often a refused write is tried, after 1, 2, 4 … s, before the clock is released.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.clock.attempts; }, 1, 20}},
    ConfigRow{"clock.repins_per_minute", "How often a clock that another program changed is pinned anew.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.clock.repins_per_minute; }, 0, 60}},
    ConfigRow{"clock.blocked_after_s", "A read or write of the clock that takes longer is reported as blocked.",
              TimeKey{[](Config& c) -> Duration& { return c.clock.blocked_after; }, TimeUnit::seconds, 0.5, 120}},
    ConfigRow{"limits.jobs", "Most jobs at a time.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.governor.jobs_in_all; }, 1, 65536}},
    ConfigRow{"limits.jobs_per_uid", "Most jobs of one user at a time.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.governor.jobs_per_uid; }, 1, 65536}},
    ConfigRow{"limits.connections", "Most connections at a time.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.limits.connections; }, 1, 65536}},
    ConfigRow{"limits.connections_per_uid", "Most connections of one user at a time.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.limits.connections_per_uid; }, 1, 65536}},
    ConfigRow{"limits.watchers_per_uid", "Most Watch calls of one user at a time.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.limits.watchers_per_uid; }, 1, 65536}},
    ConfigRow{"limits.reply_backlog_bytes", "A client that leaves more than this unread is dropped.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.limits.reply_backlog_bytes; }, 65536, 1 << 28}},
    ConfigRow{"limits.shortest_watch_period_ms", "A shorter Watch period is lengthened to this.",
              TimeKey{[](Config& c) -> Duration& { return c.limits.shortest_watch_period; }, TimeUnit::milliseconds, 5,
                      10000}},
    ConfigRow{"history.enabled", "Finished jobs are kept in the state folder, for `sweetspot jobs`.",
              SwitchKey{[](Config& c) -> bool& { return c.history.enabled; }}},
    ConfigRow{"history.keep_days", "Jobs that ended longer ago go from the history; 0 keeps them for ever.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.history.keep_days; }, 0, 36500}},
    ConfigRow{"history.size_mib",
              "The oldest jobs go when the history is larger; a job takes about 1 KiB; 0 is without bound.",
              CountKey{[](Config& c) -> std::uint64_t& { return c.history.size_mib; }, 0, 65536}},
};

}  // namespace

std::span<const ConfigRow> config_table() {
  return table;
}

}  // namespace sweetspot
