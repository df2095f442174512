// SPDX-License-Identifier: Apache-2.0
#include "service/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <spdlog/spdlog.h>
#include <syslog.h>

#include <cstdlib>

namespace sweetspot {
namespace {

bool under_systemd() {
  return std::getenv("JOURNAL_STREAM") != nullptr;
}

}  // namespace

void open_log() {
  spdlog::drop_all();
  if (under_systemd()) {
    spdlog::set_default_logger(spdlog::systemd_logger_mt("sweetspotd"));
    spdlog::set_pattern("%v");
  } else {
    spdlog::set_default_logger(spdlog::stderr_logger_mt("sweetspotd"));
    spdlog::set_pattern("sweetspotd: %l: %v");
  }
}

void log_info(const std::string& message) {
  spdlog::info("{}", message);
}
void log_warning(const std::string& message) {
  spdlog::warn("{}", message);
}
void log_error(const std::string& message) {
  spdlog::error("{}", message);
}

void log_entry(const JournalEntry& entry) {
  if (under_systemd()) return;
  if (entry.priority <= LOG_WARNING) return log_warning(entry.message);
  log_info(entry.message);
}

}  // namespace sweetspot
