// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "bench/measurements.hpp"

namespace sweetspot::bench {

tests::DaemonSetup with_journal(const std::string& config) {
  return {.config = config, .own_journal = true};
}

void wait_until_idle(const tests::RunningDaemon& daemon) {
  const auto idle = [&] {
    const auto status = daemon.status();
    return status.at("clock").at("condition") == "released" && !status.at("rails").empty() && status.at("jobs").empty();
  };
  if (!tests::eventually(idle)) throw std::runtime_error("the daemon does not come to rest: " + daemon.said());
}

}  // namespace sweetspot::bench
