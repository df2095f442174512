// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/child_process.hpp"
#include "apps/sweetspot/signal_feed.hpp"
#include "sweetspot/analysis/sweep_file.hpp"
#include "sweetspot/client/governor_client.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// How a sweep makes its runs.
struct SweepManner {
  std::string socket;
  std::string sysfs_root;            ///< where temperatures are read
  std::vector<std::string> command;  ///< not empty
  int output = -1;                   ///< where the command's words go; -1: to our own outputs
  Duration settle{0};                ///< between a pin and the start of the command
  Duration cooldown{0};              ///< between two runs
  std::optional<double> max_celsius;
};

/// Makes single runs through the daemon. One job holds the clock while it settles; the measured job starts beside it
/// with the command, so that neither the change of the clock nor the settling is in its joules. Both belong to one
/// connection: whatever ends this process gives the clock back.
class SweepRunner {
 public:
  /// `show` hears what is going on, about once a second: "settling". `signals` must have SIGCHLD; every other signal in
  /// it stops the sweep.
  SweepRunner(SweepManner manner, SignalFeed& signals, std::function<void(const std::string&)> show)
      : manner_(std::move(manner)), signals_(signals), show_(std::move(show)), board_(manner_.sysfs_root) {}

  /// One run. A run that failed is a row that is not valid. An error ends the sweep: somebody stopped it (EINTR; the
  /// command has ended, the clock is given back), the service is away or refuses, the command cannot be started, or the
  /// board does not cool down (EBUSY).
  [[nodiscard]] Result<SweepRow> run(const SweepCurve& curve, const SweepPoint& point);
  /// The signal that stopped it; 0: none.
  [[nodiscard]] int stopped_by() const { return stopped_by_; }

 private:
  struct Jobs {
    JobId settling = 0;
    JobId measured = 0;
  };
  struct CommandEnd {
    int status = 0;
    bool service_lost = false;
  };
  [[nodiscard]] Result<void> wait(Duration time, const std::string& what);
  [[nodiscard]] Result<void> wait_until_cool();
  [[nodiscard]] Result<GovernorClient> connect();
  /// Starts one job, waits until its clock has settled, and starts the other.
  [[nodiscard]] Result<Jobs> start_jobs(GovernorClient& client, const SweepCurve& curve, const SweepPoint& point);
  [[nodiscard]] Result<SweepRow> measure(GovernorClient& client, Jobs jobs, const SweepCurve& curve,
                                         const SweepPoint& point);
  /// `service` is the connection to the daemon; -1: it is gone already.
  [[nodiscard]] CommandEnd wait_for(ChildProcess& child, int service);
  /// Whether somebody wants us to stop; passes that on to the command, which the terminal's signals reach by
  /// themselves.
  bool take_signals(const ChildProcess* child);
  [[nodiscard]] tl::unexpected<Error> stopped() const;

  SweepManner manner_;
  SignalFeed& signals_;
  std::function<void(const std::string&)> show_;
  FileAttributes board_;
  bool first_ = true;
  int stopped_by_ = 0;
};

}  // namespace sweetspot
