// SPDX-License-Identifier: Apache-2.0
#include "service/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/sinks/systemd_sink.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include <cstdlib>

namespace sweetspot {
namespace {

/// $JOURNAL_STREAM names the journal's pipe; children of a service inherit it, so standard error must be that pipe.
bool under_systemd() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat error {};
  if (!stream || ::fstat(STDERR_FILENO, &error) != 0) return false;
  return stream == std::to_string(error.st_dev) + ":" + std::to_string(error.st_ino);
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
