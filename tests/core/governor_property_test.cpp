// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "core/world.hpp"

namespace sweetspot {
namespace {

/// Plays random events to a governor and keeps, beside it, the little that must be true of it whatever happens.
class Scenario {
 public:
  explicit Scenario(unsigned seed) : random_(seed), world_(settings()) {}

  void step() {
    const int what = number(22);
    if (what < 4) {
      start();
    } else if (what < 6) {
      end_as(some_uid());
    } else if (what < 7) {
      world_.governor.lose(some_id(), EndedBy::lost, world_.now);
    } else if (what < 8) {
      (void)world_.governor.progress(some_id(), number(1000) - 10, some_uid(), world_.now);
    } else if (what < 13) {
      world_.sample();
    } else if (what < 16) {
      set_clock();
    } else if (what < 17) {
      change_board();
    } else if (what < 18 && number(10) == 0) {
      world_.governor.interrupt_all(world_.now);
    } else {
      pass_time();
    }
    check_goal();
    check_events();
  }

  void finish() {
    world_.governor.interrupt_all(world_.now);
    check_events();
    ASSERT_TRUE(world_.governor.jobs().empty());
    ASSERT_EQ(world_.governor.goal(), std::nullopt);
    ASSERT_EQ(world_.governor.next_deadline(), std::nullopt);
    ASSERT_EQ(started_, ended_) << "every started job ends exactly once";
    ASSERT_EQ(troubles_, troubled_now()) << "the events of troubles tell which ones there are";
  }

  [[nodiscard]] std::size_t jobs_seen() const { return ended_.size(); }

 private:
  static GovernorSettings settings() {
    GovernorSettings settings{.jobs_per_uid = 4, .jobs_in_all = 8, .last_sample_wait = seconds(1)};
    settings.policy.second_stage.settle = seconds(1);
    settings.policy.second_stage.window = seconds(2);
    return settings;
  }
  int number(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::uint32_t some_uid() {
    return std::array<std::uint32_t, 4>{0, 1000, 1001, 1002}[static_cast<std::size_t>(number(4))];
  }
  JobId some_id() { return std::max<JobId>(0, static_cast<JobId>(started_.size()) - number(6)); }

  void start() {
    const std::array<JobSpec, 10> specs{wants_510,
                                        wants_612,
                                        wants_714,
                                        wants_816,
                                        wants_no_clock,
                                        JobSpec{},
                                        JobSpec{.layers = -1},
                                        JobSpec{.policy = "fixed", .frequency = megahertz(100 + number(1500))},
                                        JobSpec{.policy = "adaptive"},
                                        JobSpec{.layers = 24, .mean_sequence_length = 14, .policy = "adaptive"}};
    JobSpec spec = specs[static_cast<std::size_t>(number(10))];
    if (number(3) == 0) spec.lease_s = 1 + number(5);
    const auto id = world_.governor.start({spec, {some_uid(), 1, "python3"}, world_.now, {}});
    if (!id) return;
    if (!started_.empty()) {
      ASSERT_GT(*id, *started_.rbegin());
    }
    started_.insert(*id);
  }
  void end_as(std::uint32_t uid) {
    const JobId id = some_id();
    const auto found = world_.governor.jobs().find(id);
    const bool there = found != world_.governor.jobs().end() && !found->second.ended_by;
    const bool allowed = there && (uid == 0 || uid == found->second.owner.uid);
    const auto refusal = world_.governor.end(id, uid, world_.now);
    ASSERT_EQ(!refusal, allowed);
    ASSERT_EQ(refusal == Governor::Refusal::no_such_job, !there);
  }
  void set_clock() {
    const auto condition = number(2) == 0 ? ClockCondition::pinned : static_cast<ClockCondition>(number(11));
    const bool holds = condition == ClockCondition::pinned || condition == ClockCondition::capped;
    world_.clock_is(condition, holds ? world_.governor.goal() : std::nullopt, number(2) == 0 ? "this" : "that");
  }
  void change_board() {
    BoardFacts facts = agx_orin();
    if (number(2) == 0) facts.clocks->cap = megahertz(200 + number(1200));
    if (number(6) == 0) facts.clocks.reset();
    facts.has_gpu_load = number(3) != 0;
    if (number(4) == 0) facts.rails = {"VDD_IN", "VDD_CPU_GPU_CV"};
    if (facts.rails == world_.governor.board().rails) {
      world_.governor.observe_board(facts, world_.now);
    } else {
      world_.become(facts);
    }
  }
  void pass_time() {
    world_.now += seconds(0.01 * (1 + number(400)));
    world_.load = number(100);
    world_.governor.tick(world_.now);
    const auto next = world_.governor.next_deadline();
    ASSERT_TRUE(!next || *next > world_.now) << "a deadline in the past makes the loop spin";
  }

  void check_goal() const {
    bool wished = false;
    for (const auto& [id, job] : world_.governor.jobs()) wished |= !job.ended_by && job.decision.frequency;
    ASSERT_EQ(world_.governor.goal().has_value(), wished);
    const auto& clocks = world_.governor.board().clocks;
    if (world_.governor.goal() && clocks) {
      ASSERT_TRUE(clocks->table.contains(*world_.governor.goal()));
      ASSERT_LE(*world_.governor.goal(), clocks->cap);
    }
    ASSERT_EQ(world_.governor.needs_samples(), !world_.governor.jobs().empty());
    ASSERT_LE(world_.governor.jobs().size(), 8u);
  }
  void check_events() {
    for (const Event& event : world_.governor.take_events()) {
      if (const auto* started = std::get_if<JobStarted>(&event)) {
        ASSERT_TRUE(started_.count(started->job_id));
      } else if (const auto* redecided = std::get_if<JobRedecided>(&event)) {
        ASSERT_FALSE(ended_.count(redecided->job_id)) << "an ended job changes no more";
      } else if (const auto* moved = std::get_if<JobMoved>(&event)) {
        ASSERT_FALSE(ended_.count(moved->job_id)) << "an ended job moves no more";
        ASSERT_NE(moved->from, moved->decision.frequency);
      } else if (const auto* ended = std::get_if<JobEnded>(&event)) {
        check_record(ended->record);
        ASSERT_TRUE(started_.count(ended->record.job_id));
        ASSERT_TRUE(ended_.insert(ended->record.job_id).second) << "ended twice";
      } else if (const auto* began = std::get_if<TroubleBegan>(&event)) {
        troubles_.insert(began->reason);
      } else if (const auto* over = std::get_if<TroubleEnded>(&event)) {
        ASSERT_EQ(troubles_.erase(over->reason), 1u);
      }
    }
  }
  static void check_record(const EnergyRecord& record) {
    ASSERT_GE(record.duration, Duration{0});
    ASSERT_GE(record.coverage, 0);
    ASSERT_LE(record.coverage, 1);
    ASSERT_GE(record.longest_gap, Duration{0});
    ASSERT_EQ(record.energy.has_value(), record.mean_power.has_value());
    ASSERT_EQ(record.energy.has_value(), record.share.has_value());
    ASSERT_EQ(record.energy.has_value() && record.coverage >= 0.95, record.energy_valid);
    ASSERT_EQ(record.applied.has_value(), record.share_at_clock.has_value());
    if (record.share_at_clock) {
      ASSERT_GT(*record.share_at_clock, 0);
      ASSERT_LE(*record.share_at_clock, 1);
    }
    if (record.energy) {
      ASSERT_GE(record.energy->value + 1e-6, record.share->value) << "no job's share exceeds the board's energy";
    }
    ASSERT_EQ(record.rails.size(), record.rails_counted.size() + record.rails_left_out.size());
  }
  [[nodiscard]] std::set<HealthReason> troubled_now() const {
    std::set<HealthReason> reasons;
    for (const auto& [reason, trouble] : world_.governor.health().troubles()) reasons.insert(reason);
    return reasons;
  }

  std::mt19937 random_;
  World world_;
  std::set<JobId> started_;
  std::set<JobId> ended_;
  std::set<HealthReason> troubles_;
};

TEST(GovernorProperty, HoldsItsInvariantsWhateverHappensInWhateverOrder) {
  std::size_t jobs = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    Scenario scenario(seed);
    for (int i = 0; i < 300; ++i) {
      scenario.step();
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
    scenario.finish();
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
    jobs += scenario.jobs_seen();
  }
  EXPECT_GT(jobs, 1000u) << "the scenarios must not be idle ones";
}

}  // namespace
}  // namespace sweetspot
