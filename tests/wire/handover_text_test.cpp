// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/handover_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/world.hpp"

namespace sweetspot {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

DecisionTree small_tree() {
  return DecisionTree::from({"small",
                             {{.feature = Feature::layers, .threshold = 7.5, .below = 1, .above = 2},
                              {.clock = megahertz(510)},
                              {.clock = megahertz(816)}},
                             {{Feature::layers, 1, 48}}})
      .value();
}

/// What a daemon leaves after a random life, with connections that hold any bytes.
Handover random_handover(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto number = [&random](int below) { return std::uniform_int_distribution<int>(0, below - 1)(random); };
  GovernorSettings settings;
  settings.policy.second_stage.settle = seconds(0.3);
  settings.policy.second_stage.window = seconds(0.5);
  if (number(2) == 0) settings.policy = {.policy = Policy::tree, .tree = small_tree()};
  World world(settings);
  const JobSpec specs[] = {wants_510, wants_816, wants_no_clock, {.name = "a \"name\"\\", .tags = {{"k", "v"}}}};
  for (int i = number(40); i > 0; --i) {
    JobSpec spec = specs[number(4)];
    if (number(3) == 0) spec.lease_s = 1 + number(100);
    if (number(3) == 0) (void)world.start(spec);
    if (number(2) == 0) world.obey();
    if (number(9) == 0) world.become(agx_orin());
    if (number(9) == 0) world.clock_is(ClockCondition::lost, std::nullopt, "somebody");
    world.watts[0] = 1.0 / (1 + number(7));
    if (number(4) != 0) world.run_for(0.1 * number(9));
    world.pass(0.001 * number(900));
  }
  Handover handover{.written_by = "0.1.0", .boot_id = "boot", .governor = world.governor.state()};
  std::uint64_t connection = 0;
  for (const Job& job : handover.governor.jobs) {
    HandedHolder holder{.job = job.id};
    if (number(2) == 0) holder.process = HandedProcess{4711, 99, "python3"};
    if (number(2) == 0 || !holder.process) {
      std::string bytes;
      for (int i = number(300); i > 0; --i) bytes += static_cast<char>(number(256));
      handover.connections.push_back({++connection, random(), bytes, bytes.substr(0, 5), number(2) == 0});
      holder.connection = connection;
    }
    handover.holders.push_back(holder);
  }
  return handover;
}

Handover with_a_job() {
  World world;
  world.start(wants_714);
  world.obey();
  world.sample();
  world.run_for(20);
  return {.written_by = "0.1.0",
          .boot_id = "boot",
          .governor = world.governor.state(),
          .connections = {{.id = 3, .start_ticks = 77, .received = "{\"met", .unsent = {}}},
          .holders = {{.job = 1, .connection = 3, .process = HandedProcess{4711, 99, "python3"}}}};
}

TEST(HandoverText, IsTheSameAfterBeingReadWhateverTheDaemonWentThrough) {
  std::size_t jobs = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Handover handover = random_handover(seed);
    jobs += handover.governor.jobs.size();
    const std::string text = handover_text(handover);
    const auto read = parse_handover(text);
    ASSERT_TRUE(read) << "seed " << seed << ": " << read.error().message;
    ASSERT_EQ(handover_text(*read), text) << "seed " << seed;
    ASSERT_EQ(read->connections, handover.connections);
    ASSERT_EQ(read->holders, handover.holders);
    ASSERT_EQ(read->governor.meter, handover.governor.meter);
    ASSERT_EQ(read->governor.board, handover.governor.board);
  }
  EXPECT_GT(jobs, 300u);
}

TEST(HandoverText, KeepsEverythingThatARecordIsMadeOf) {
  const Handover handover = with_a_job();
  const auto read = parse_handover(handover_text(handover));
  ASSERT_TRUE(read) << read.error().message;
  Governor before{GovernorSettings{}};
  Governor after{GovernorSettings{}};
  const Instant now = handover.governor.meter->total.at;
  before.take_over(handover.governor, seconds(1), now);
  after.take_over(read->governor, seconds(1), now);
  const auto record = [now](const Governor& governor) {
    return governor.record_so_far(governor.jobs().at(1), now + seconds(2));
  };
  EXPECT_EQ(record(before), record(after));
  EXPECT_EQ(before.jobs().at(1).policy, after.jobs().at(1).policy);
  EXPECT_EQ(before.clock(), after.clock());
}

TEST(HandoverText, WritesATreeThatManyJobsShareOnce) {
  Handover handover = with_a_job();
  handover.governor.jobs[0].policy.tree = small_tree();
  handover.governor.jobs.push_back(handover.governor.jobs[0]);
  const json text = json::parse(handover_text(handover));
  EXPECT_EQ(text.at("policies").size(), 1u);
}

TEST(HandoverText, IgnoresWhatANewerDaemonAdds) {
  json text = json::parse(handover_text(with_a_job()));
  text["more"] = {1, 2};
  text["jobs"][0]["more"] = "x";
  text["meter"]["rails"][0]["more"] = true;
  EXPECT_TRUE(parse_handover(text.dump()));
}

TEST(HandoverText, NamesAVersionItCannotReadAndWhoWroteIt) {
  const auto read = parse_handover(R"({"format": "sweetspot-handover", "version": 7, "written_by": "9.8.7"})");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("9.8.7"));
  EXPECT_THAT(read.error().message, HasSubstr("version 7"));
}

TEST(HandoverText, RefusesWhatDoesNotFitTogetherAndSaysWhere) {
  const json good = json::parse(handover_text(with_a_job()));
  ASSERT_TRUE(parse_handover(good.dump()));
  struct Spoilt {
    const char* place;
    void (*spoil)(json&);
  };
  const Spoilt all[] = {
      {"format", [](json& t) { t["format"] = "sweetspot-tree"; }},
      {"jobs[0].policy", [](json& t) { t["jobs"][0]["policy"] = 1; }},
      {"policies[0].policy", [](json& t) { t["policies"][0]["policy"] = "adaptively"; }},
      {"policies[0].tree", [](json& t) { t["policies"][0]["tree"] = "{}"; }},
      {"jobs[0].objective", [](json& t) { t["jobs"][0]["objective"] = "speed"; }},
      {"jobs[0].load_window.phase", [](json& t) { t["jobs"][0]["load_window"]["phase"] = "idle"; }},
      {"jobs[0].started_ns", [](json& t) { t["jobs"][0]["started_ns"] = -1; }},
      {"jobs[0].lease_ends_ns", [](json& t) { t["jobs"][0]["lease_ends_ns"] = 9000000000000000000; }},
      {"clock.condition", [](json& t) { t["clock"]["condition"] = "warm"; }},
      {"board", [](json& t) { t["board"]["cap_hz"] = nullptr; }},
      {"board.available_hz", [](json& t) { t["board"]["available_hz"] = json::array(); }},
      {"connections[0].received_hex", [](json& t) { t["connections"][0]["received_hex"] = "abc"; }},
      {"connections[0].unsent_hex", [](json& t) { t["connections"][0]["unsent_hex"] = "zz"; }},
      {"connections[1].id", [](json& t) { t["connections"].push_back(t["connections"][0]); }},
      {"holders[0].job", [](json& t) { t["holders"][0]["job"] = 2; }},
      {"holders[1].job", [](json& t) { t["holders"].push_back(t["holders"][0]); }},
      {"holders[0].connection", [](json& t) { t["holders"][0]["connection"] = 4; }},
      {"holders[0].process.pid", [](json& t) { t["holders"][0]["process"]["pid"] = 0; }},
      {"expected a connection or a process",
       [](json& t) { t["holders"][0]["process"] = t["holders"][0]["connection"] = nullptr; }},
      {"job 1 has none", [](json& t) { t["holders"] = json::array(); }},
      {"meter", [](json& t) { t["meter"] = nullptr; }},
      {"shares_j", [](json& t) { t["jobs"][0]["shares_j"][0] = nullptr; }},
      {"is missing", [](json& t) { t.erase("next_id"); }},
  };
  for (const Spoilt& one : all) {
    json text = good;
    one.spoil(text);
    const auto read = parse_handover(text.dump());
    ASSERT_FALSE(read) << one.place;
    EXPECT_THAT(read.error().message, HasSubstr(one.place));
  }
}

TEST(HandoverText, SurvivesAnyTruncationAndAnyFlippedByte) {
  const std::string good = handover_text(with_a_job());
  for (std::size_t length = 0; length < good.size(); length += 31) EXPECT_FALSE(parse_handover(good.substr(0, length)));
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    std::string text = good;
    text[random() % text.size()] = static_cast<char>(random());
    if (const auto read = parse_handover(text)) {
      EXPECT_EQ(contradiction_in(read->governor), std::nullopt);
    }
  }
}

}  // namespace
}  // namespace sweetspot
