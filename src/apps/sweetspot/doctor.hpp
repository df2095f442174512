// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/doctor_daemon.hpp"
#include "apps/sweetspot/program.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// `sweetspot doctor`: looks at the board itself and at the daemon; each trouble comes with its fix. Works without the
/// daemon and without root, with fewer checks.
class DoctorCommand {
 public:
  explicit DoctorCommand(Program& program);

 private:
  [[nodiscard]] int run();
  /// What concerns this machine and this user, not the board.
  [[nodiscard]] std::vector<Finding> machine_findings() const;
  [[nodiscard]] Finding write_test(FileAttributes& board, const GpuNode& gpu, DaemonFindings& daemon) const;

  Program& program_;
  std::string sysfs_root_;
  std::string runtime_dir_;
  bool no_write_ = false;
};

/// The findings as lines, fixes below theirs.
[[nodiscard]] std::string findings_text(const std::vector<Finding>& findings);

/// 3 without a GPU node, 1 with a failed check, else 0.
[[nodiscard]] int doctor_exit_code(const std::vector<Finding>& findings, bool gpu_found);

}  // namespace sweetspot
