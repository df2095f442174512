// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// `sweetspot doctor`: looks at the board itself and at the daemon; each trouble comes with its fix. Works without the
/// daemon and without root, with fewer checks.
class DoctorCommand {
 public:
  explicit DoctorCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  std::string sysfs_root_;
  std::string runtime_dir_;
};

/// The findings as lines, fixes below theirs.
[[nodiscard]] std::string findings_text(const std::vector<Finding>& findings);

/// 3 without a GPU node, 1 with a failed check, else 0.
[[nodiscard]] int doctor_exit_code(const std::vector<Finding>& findings, bool gpu_found);

}  // namespace sweetspot
