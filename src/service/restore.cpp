// SPDX-License-Identifier: Apache-2.0
#include "service/restore.hpp"

#include "service/journal.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/runtime_lock.hpp"

namespace sweetspot {

Result<std::vector<std::string>> restore_clock(const std::string& sysfs_root, const std::string& runtime_dir) {
  const auto lock = RuntimeLock::acquire(runtime_dir);
  if (!lock) return failure(Error(lock.error()).within("the clock is not restored"));
  FileAttributes board(sysfs_root);
  SavedClockStore store(runtime_dir);
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
  return report->notes;
}

}  // namespace sweetspot
