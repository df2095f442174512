// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/job_ledger.hpp"
#include "sweetspot/core/event.hpp"

namespace sweetspot {

/// One structured journal entry: a sentence, the id of its catalog text (systemd/sweetspotd.catalog), a syslog priority
/// and SWEETSPOT_… fields. Figures that were not measured have no field.
struct JournalEntry {
  std::string message;
  std::string_view message_id;  ///< 32 hex digits
  int priority = 6;
  std::vector<std::pair<std::string, std::string>> fields;  ///< without MESSAGE, MESSAGE_ID and PRIORITY
};

[[nodiscard]] JournalEntry journal_entry_for(const Event& event);

/// The rails of a running job, mean since the last entry: one SWEETSPOT_RAIL_<LABEL>_MW field each.
struct RailMean {
  std::string label;
  std::optional<double> milliwatts;
};
[[nodiscard]] JournalEntry journal_entry_for_rails(const std::vector<RailMean>& means);
/// A job that was running when an earlier daemon died without ending it.
[[nodiscard]] JournalEntry journal_entry_for_lost(const LostJob& job);

/// Sends entries to journald (SYSLOG_IDENTIFIER=sweetspotd). Where no journald listens, sending is silently nothing:
/// the caller's free-text log says the same sentence.
void send_to_journal(const JournalEntry& entry);

}  // namespace sweetspot
