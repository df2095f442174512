// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor.hpp"

#include <algorithm>

#include "apps/sweetspot/doctor_board.hpp"
#include "apps/sweetspot/doctor_clock_test.hpp"
#include "apps/sweetspot/doctor_daemon.hpp"
#include "apps/sweetspot/status_text.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {
namespace {

constexpr const char* default_runtime_dir = "/run/sweetspotd-private";

void append(std::vector<Finding>& to, std::vector<Finding> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const Finding& finding : findings) {
    rows.push_back({std::string(name_of(finding.verdict)), finding.check, printable(finding.detail)});
    if (!finding.fix.empty()) rows.push_back({"", "", "fix: " + printable(finding.fix)});
  }
  return aligned(rows, "");
}

int doctor_exit_code(const std::vector<Finding>& findings, bool gpu_found) {
  if (!gpu_found) return ExitCode::no_hardware;
  const bool failed = std::any_of(findings.begin(), findings.end(),
                                  [](const Finding& f) { return f.verdict == Finding::Verdict::fail; });
  return failed ? ExitCode::failure : ExitCode::ok;
}

DoctorCommand::DoctorCommand(Program& program) : program_(program), runtime_dir_(default_runtime_dir) {
  CLI::App& command =
      program.add_command("doctor", "Checks board, permissions, rails and service; each trouble with its fix",
                          "  sudo sweetspot doctor     (as root it also writes the clock, reads it back, restores it)\n"
                          "  sweetspot doctor --json\n"
                          "Exit status: 0 no check failed, 1 one did, 3 no GPU node.",
                          [this] { return run(); });
  command.add_option("--sysfs-root", sysfs_root_, "Folder that holds the board's sys/ and etc/, for boards elsewhere")
      ->type_name("DIR");
  command.add_option("--runtime-dir", runtime_dir_, "The service's private folder (lock, saved clock)")
      ->type_name("DIR")
      ->capture_default_str();
}

int DoctorCommand::run() {
  FileAttributes board(sysfs_root_);
  const DaemonFindings daemon = daemon_findings(program_.socket_path());
  BoardFindings seen = board_findings(board, daemon.status);

  std::vector<Finding> findings = std::move(seen.findings);
  append(findings, daemon.findings);
  append(findings, runtime_findings(runtime_dir_));
  if (seen.gpu) findings.push_back(clock_test(board, *seen.gpu, runtime_dir_, daemon.status));

  const int code = doctor_exit_code(findings, seen.gpu.has_value());
  const int printed = print(program_.json ? findings_to_json(findings, code) + "\n" : findings_text(findings));
  return printed == ExitCode::ok ? code : printed;
}

}  // namespace sweetspot
