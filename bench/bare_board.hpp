// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot::bench {

/// The board's files as a program without any care would use them: what the daemon's own work is measured against.
/// Throws std::system_error where a file refuses.
class BareBoard {
 public:
  explicit BareBoard(const std::string& sysfs_root);

  /// One pread of every file that a sample of the daemon reads, through descriptors kept open.
  void read_rails() const;
  /// Both limits written, as `echo` does (open, write, close), and both read back.
  void pin(const std::string& clock_hz) const;
  void release() const;

 private:
  [[nodiscard]] std::string read_limit(const char* file) const;
  void write_limit(const char* file, const std::string& value) const;

  std::string devfreq_dir_;
  std::vector<UniqueFd> sampled_;
  std::string found_min_;
  std::string found_max_;
};

}  // namespace sweetspot::bench
