// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "tests/system/scene.hpp"

// A GPU that rests for long is let go, and held again when it works.
namespace sweetspot::tests {
namespace {

using Relax = SystemTest;

constexpr const char* relaxing = R"({"clock": {"relax_s": 1, "check_s": 0.2}})";

TEST_F(Relax, AGpuWithoutLoadIsLetGoAndPinnedAgainWhenALoadReturns) {
  const RunningDaemon daemon(board().root(), {.config = relaxing});
  auto load = std::make_unique<BoardLoad>(board(), "bert-large/sst2");
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612)));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  load.reset();
  EXPECT_TRUE(limits_become(untouched));
  EXPECT_EQ(daemon.status().at("jobs").size(), 1U) << "the job runs on";
  load = std::make_unique<BoardLoad>(board(), "bert-large/sst2");
  EXPECT_TRUE(limits_become(pinned_to(mhz(612))));
  EXPECT_EQ(client.ask("EndJob", {{"job_id", job.at("job_id")}}).at("record").at("applied_hz"), mhz(612));
  EXPECT_TRUE(limits_become(untouched));
}

TEST_F(Relax, UnlessItIsAskedForAGpuWithoutLoadStaysHeld) {
  const RunningDaemon daemon(board().root(), {.config = R"({"clock": {"check_s": 0.2}})"});
  auto client = daemon.connect();
  static_cast<void>(client.ask("StartJob", job_at(mhz(612))));
  ASSERT_TRUE(limits_become(pinned_to(mhz(612))));
  EXPECT_TRUE(stays([&] { return limits_of(board()) == pinned_to(mhz(612)); }, std::chrono::seconds(2)));
}

}  // namespace
}  // namespace sweetspot::tests
