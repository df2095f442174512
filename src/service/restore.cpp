// SPDX-License-Identifier: Apache-2.0
#include "service/restore.hpp"

#include "service/journal.hpp"
#include "service/restart_or_stop.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/handover_mark.hpp"
#include "sweetspot/platform/runtime_lock.hpp"

namespace sweetspot {

Result<std::vector<std::string>> restore_clock(const std::string& sysfs_root, const std::string& runtime_dir) {
  const auto lock = RuntimeLock::acquire(runtime_dir);
  if (!lock) return failure(Error(lock.error()).within("the clock is not restored"));
  SavedClockStore store(runtime_dir);
  const auto marked = take_handover_mark(runtime_dir, store.boot_id());
  if (!marked) return failure(Error(marked.error()));
  std::vector<std::string> said;
  if (*marked) {
    const auto intent = ask_service_manager(manager_patience);
    if (intent && intent->restart)
      return std::vector<std::string>{"the clock stays pinned for the daemon that is being restarted"};
    said.push_back("a daemon handed its clock over, but " +
                   (intent ? std::string("no restart is under way") : intent.error().message));
  }
  FileAttributes board(sysfs_root);
  auto report = restore_saved_clock(board, store);
  if (!report) return failure(std::move(report.error()));
  for (const std::string& note : report->notes) {
    if (report->wrote) send_to_journal(journal_entry_for(ClockRestored{note}));
  }
  if (!report->complete && !report->node_gone) {
    std::string why;
    for (const std::string& note : report->notes) why += (why.empty() ? "" : "; ") + note;
    return failure("the clock is not wholly restored: " + why);
  }
  if (report->notes.empty()) report->notes.push_back("nothing to restore");
  said.insert(said.end(), report->notes.begin(), report->notes.end());
  return said;
}

}  // namespace sweetspot
