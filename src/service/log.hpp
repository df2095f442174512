// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "service/journal.hpp"

namespace sweetspot {

/// Where free text goes: the journal under systemd (JOURNAL_STREAM is set), standard error otherwise. Call once, before
/// the first message.
void open_log();
void log_info(const std::string& message);
void log_warning(const std::string& message);
void log_error(const std::string& message);
/// The sentence of a structured entry, for people at a terminal. Under systemd it is in the journal already.
void log_entry(const JournalEntry& entry);

}  // namespace sweetspot
