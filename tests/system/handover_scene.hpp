// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "tests/support/fake_systemd.hpp"
#include "tests/system/scene.hpp"

namespace sweetspot::tests {

/// A daemon under a service manager that restarts and stops it as systemd does: the unit's job, SIGTERM, ExecStopPost=,
/// and the next start with what was stored.
class HandOverTest : public SystemTest {
 protected:
  void SetUp() override {
    SystemTest::SetUp();
    if (!IsSkipped()) manage(2056);
  }

  /// A manager with so many places, and a daemon under it, instead of those there were.
  void manage(unsigned places, const std::string& config = "{}") {
    daemon_.reset();
    manager_.emplace(places);
    daemon_ = std::make_unique<RunningDaemon>(board().root(), DaemonSetup{.config = config, .manager = &*manager_});
  }

  [[nodiscard]] FakeSystemd& manager() { return *manager_; }
  [[nodiscard]] RunningDaemon& daemon() { return *daemon_; }

  /// The first half of a job that ends the daemon, ExecStopPost= included. What that said.
  ProgramEnd end_for(const std::string& job) {
    manager().set_job(job);
    EXPECT_EQ(daemon().terminate(), 0) << daemon().said();
    ProgramEnd stop_post = daemon().restore();
    if (job != "restart") manager().release();
    return stop_post;
  }
  void restart() {
    const ProgramEnd stop_post = end_for("restart");
    EXPECT_EQ(stop_post.status, 0) << stop_post.said;
    start_again();
  }
  void start_again() {
    manager().set_job("start");
    ASSERT_TRUE(daemon().try_start()) << daemon().said();
    manager().set_job("");
  }

  /// A job at 612 MHz, pinned.
  [[nodiscard]] std::int64_t pinned_job(VarlinkTestClient& client, json more = json::object()) {
    const json job = client.ask("StartJob", job_at(mhz(612), std::move(more)));
    EXPECT_TRUE(limits_become(pinned_to(mhz(612))));
    return job.at("job_id").get<std::int64_t>();
  }
  [[nodiscard]] std::vector<std::int64_t> running_jobs() {
    std::vector<std::int64_t> ids;
    const json status = daemon().status();
    for (const json& job : status.at("jobs")) ids.push_back(job.at("job_id").get<std::int64_t>());
    return ids;
  }
  [[nodiscard]] bool said(const std::string& words) { return daemon().said().find(words) != std::string::npos; }

 private:
  std::optional<FakeSystemd> manager_;
  std::unique_ptr<RunningDaemon> daemon_;
};

inline json end_of(std::int64_t job) {
  return {{"job_id", job}};
}

}  // namespace sweetspot::tests
