// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot::bench {

/// The board's files as a program without any care would use them: what the daemon's own work is measured against.
/// Throws std::system_error where a file refuses.
class BareBoard {
 public:
  /// How min_freq and max_freq are reached: as `echo` and `cat` do it (open, write or read, close), or through
  /// descriptors kept open, the least that any program can do.
  enum class LimitFiles { by_path, kept_open };
  explicit BareBoard(const std::string& sysfs_root, LimitFiles limit_files = LimitFiles::by_path);

  /// One pread of every file that a sample of the daemon reads, through descriptors kept open.
  void read_rails() const;
  /// Both limits written, and both read back.
  void pin(const std::string& clock_hz) const;
  void release() const;

 private:
  [[nodiscard]] std::string read_limit(const char* file) const;
  void write_limit(const char* file, const std::string& value) const;
  [[nodiscard]] UniqueFd open_limit(const char* file, int flags) const;

  std::string devfreq_dir_;
  std::vector<UniqueFd> sampled_;
  std::map<std::string, UniqueFd> limits_;  ///< those kept open
  std::string found_min_;
  std::string found_max_;
};

}  // namespace sweetspot::bench
