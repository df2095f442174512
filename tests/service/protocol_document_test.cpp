// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "places.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/simulated_board.hpp"

namespace sweetspot::tests {
namespace {

struct Exchange {
  std::string sent;
  nlohmann::json answer;
};

/// The `>` and `<` lines of the ```varlink blocks, in order.
std::vector<Exchange> documented_exchanges() {
  std::ifstream file(SWEETSPOT_SOURCE_DIR "/docs/protocol.md");
  std::vector<Exchange> exchanges;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("```", 0) == 0) inside = line == "```varlink";
    if (!inside || line.size() < 2) continue;
    if (line[0] == '>') exchanges.push_back({line.substr(2), {}});
    if (line[0] == '<') exchanges.back().answer = nlohmann::json::parse(line.substr(2));
  }
  return exchanges;
}

/// Values that no document can foresee; only their presence and type are compared.
const std::set<std::string> differing{
    "share_at_clock", "started",       "duration_s", "energy_j", "mean_power_w", "samples", "coverage",
    "longest_gap_s",  "gpu_load_mean", "share_j",    "uid",      "pid",          "comm",    "energy_valid"};

void expect_same(const nlohmann::json& documented, const nlohmann::json& actual, const std::string& place) {
  if (documented.is_object()) {
    ASSERT_TRUE(actual.is_object()) << place;
    for (const auto& [key, value] : documented.items()) {
      ASSERT_TRUE(actual.contains(key)) << place << "." << key << " is documented and not answered";
      if (differing.count(key) > 0) {
        EXPECT_EQ(actual[key].is_number(), value.is_number()) << place << "." << key << " = " << actual[key];
      } else {
        expect_same(value, actual[key], place + "." + key);
      }
    }
    for (const auto& [key, value] : actual.items())
      EXPECT_TRUE(documented.contains(key)) << place << "." << key << " is answered and not documented";
  } else if (documented.is_array()) {
    ASSERT_EQ(documented.size(), actual.size()) << place << ": " << actual;
    for (std::size_t i = 0; i < documented.size(); ++i)
      expect_same(documented[i], actual[i], place + "[" + std::to_string(i) + "]");
  } else {
    EXPECT_EQ(documented, actual) << place;
  }
}

bool starts_a_job(const Exchange& exchange) {
  return exchange.answer.contains("parameters") && exchange.answer["parameters"].contains("state");
}

/// A busy machine may not have pinned within StartJob's 50 ms; then `pending` is the right answer, and the next
/// examples are for a job that has become active.
void wait_until_active(const RunningDaemon& daemon, nlohmann::json& answer) {
  nlohmann::json& reply = answer["parameters"];
  if (reply["state"] == "pending") {
    EXPECT_EQ(reply["applied_hz"], nullptr);
    reply["state"] = "active";
    reply["applied_hz"] = reply["decision"]["frequency_hz"];
  }
  const auto deadline = Clock::now() + patience;
  while (Clock::now() < deadline) {
    const nlohmann::json job = daemon.status()["jobs"].at(0);
    if (job["state"] == "active" && !job["energy_j"].is_null() && job["coverage"] > 0) return;
  }
  FAIL() << "the job does not become active: " << daemon.status();
}

TEST(ProtocolDocument, ItsExamplesAreWhatTheDaemonAnswers) {
  if (const auto why = SimulatedBoard::unavailable()) GTEST_SKIP() << *why;
  const std::vector<Exchange> exchanges = documented_exchanges();
  ASSERT_GE(exchanges.size(), 9U);
  const SimulatedBoard board("agx-orin-64-jp6");
  RunningDaemon daemon(board.root());
  // Ready is the socket; what is said of the board is settled after the first look at it.
  ASSERT_TRUE(eventually([&] { return !daemon.status().at("gpu").at("node").is_null(); }));
  VarlinkTestClient client = daemon.connect();
  for (const Exchange& exchange : exchanges) {
    SCOPED_TRACE(exchange.sent);
    ASSERT_TRUE(client.send_bytes(exchange.sent + '\0'));
    auto answer = client.receive();
    ASSERT_TRUE(answer);
    if (starts_a_job(exchange)) {
      ASSERT_NO_FATAL_FAILURE(wait_until_active(daemon, *answer));
    }
    expect_same(exchange.answer, *answer, "reply");
  }
}

}  // namespace
}  // namespace sweetspot::tests
