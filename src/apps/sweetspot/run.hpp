// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/spec_options.hpp"
#include "sweetspot/client/governor_client.hpp"

namespace sweetspot {

/// `sweetspot run [spec] -- CMD…`: CMD as one job. Whatever is wrong with the daemon costs one warning; CMD runs and
/// its exit status is ours.
class RunCommand {
 public:
  explicit RunCommand(Program& program);

 private:
  /// The job, held by the connection it was started over.
  struct HeldJob {
    GovernorClient client;
    JobId id = 0;
  };
  [[nodiscard]] int run();
  [[nodiscard]] std::optional<HeldJob> start_job(const JobSpec& spec);
  [[nodiscard]] std::optional<EnergyRecord> end_job(std::optional<HeldJob>& job);
  void lose(std::optional<HeldJob>& job, const std::string& why);
  void report(const std::optional<EnergyRecord>& record, int status) const;

  Program& program_;
  SpecOptions options_;
};

/// What a job is called that was given no name: "train.py" for "python3 train.py --epochs 3", else the program's name.
/// Never more of the command line, which may hold secrets.
[[nodiscard]] std::string name_of_command(const std::vector<std::string>& command);

}  // namespace sweetspot
