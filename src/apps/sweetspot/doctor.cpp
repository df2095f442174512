// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor.hpp"

#include <algorithm>

#include "apps/sweetspot/doctor_access.hpp"
#include "apps/sweetspot/doctor_board.hpp"
#include "apps/sweetspot/doctor_clock_test.hpp"
#include "apps/sweetspot/doctor_daemon.hpp"
#include "apps/sweetspot/doctor_rivals.hpp"
#include "apps/sweetspot/doctor_user.hpp"
#include "apps/sweetspot/status_text.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {
namespace {

constexpr const char* default_runtime_dir = "/run/sweetspotd-private";

constexpr const char* users_group = "sweetspot-users";

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
  CLI::App& command = program.add_command(
      "doctor", "Checks board, permissions, rails, rivals and service; each trouble with its fix",
      "  sweetspot doctor\n"
      "  sudo sweetspot doctor     (may look at more: the service's folder, what root's jetson_clocks stored)\n"
      "  sweetspot --json doctor\n"
      "While no job runs and the GPU is idle, the clock is written, read back and restored within a second: through a\n"
      "running service by a job of that length, else as root with the service's own code. --no-write leaves that out.\n"
      "Exit status: 0 no check failed (warnings do not count), 1 one did, 3 no GPU node.",
      [this] { return run(); });
  command.add_flag("--no-write", no_write_, "Look only: leave the write test out");
  command.add_option("--sysfs-root", sysfs_root_, "Folder that holds the board's sys/ and etc/, for boards elsewhere")
      ->type_name("DIR");
  command.add_option("--runtime-dir", runtime_dir_, "The service's private folder (lock, saved clock)")
      ->type_name("DIR")
      ->capture_default_str();
}

std::vector<Finding> DoctorCommand::machine_findings() const {
  const FileAttributes system;
  const UserFacts user = this_user();
  std::vector<Finding> findings = rival_findings(system);
  findings.push_back(users_group_finding(user, group_called(users_group)));
  findings.push_back(socket_finding(look_at(program_.socket_path())));
  findings.push_back(journal_finding(user, look_at_journal()));
  findings.push_back(runtime_folder_finding(look_at(runtime_dir_)));
  append(findings, runtime_findings(runtime_dir_));
  return findings;
}

Finding DoctorCommand::write_test(FileAttributes& board, const GpuNode& gpu, DaemonFindings& daemon) const {
  ClockTestFacts facts = clock_test_facts(board, gpu, daemon.status);
  facts.wanted = !no_write_;
  if (auto reason = no_clock_test(facts)) return std::move(*reason);
  if (daemon.client) return service_clock_test(board, gpu, *daemon.client);
  return clock_test(board, gpu, runtime_dir_);
}

int DoctorCommand::run() {
  FileAttributes board(sysfs_root_);
  DaemonFindings daemon = daemon_findings(program_.socket_path());
  BoardFindings seen = board_findings(board, daemon.status);

  std::vector<Finding> findings = std::move(seen.findings);
  if (seen.gpu) append(findings, access_findings(board, *seen.gpu));
  if (seen.gpu) append(findings, jetson_clocks_findings(FileAttributes(), jetson_clocks_stores(), board, *seen.gpu));
  append(findings, machine_findings());
  append(findings, std::move(daemon.findings));
  // Last: it may give up root.
  if (seen.gpu) findings.push_back(write_test(board, *seen.gpu, daemon));

  const int code = doctor_exit_code(findings, seen.gpu.has_value());
  const int printed = print(program_.json ? findings_to_json(findings, code) + "\n" : findings_text(findings));
  return printed == ExitCode::ok ? code : printed;
}

}  // namespace sweetspot
