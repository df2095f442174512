// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// Bytes of the largest file a sweep goes on with: as large as curves may be.
inline constexpr std::size_t longest_sweep_file = std::size_t{1} << 30;

/// The file a sweep appends to, line by line, each on the disk before the next run begins. Nothing of the file is
/// changed before it is known to be a sweep's: then cut_torn_end() makes it whole lines only. A line that does not fit
/// on the disk leaves nothing behind. One sweep at a time: the file is locked while this lives.
class SweepOutput {
 public:
  /// Makes the file where there is none. Refuses what is no regular file, and one that another sweep writes (EAGAIN).
  [[nodiscard]] static Result<SweepOutput> open(const std::string& path);

  /// What it held when it was opened, without a torn end.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// What follows the last whole line: a crash may have torn one.
  [[nodiscard]] const std::string& torn_end() const { return torn_end_; }
  /// Takes the torn end away. For a file that is known to be a sweep's.
  [[nodiscard]] Result<void> cut_torn_end();
  /// `lines` with their line ends.
  [[nodiscard]] Result<void> append(const std::string& lines);

 private:
  SweepOutput(std::string path, UniqueFd fd) : path_(std::move(path)), fd_(std::move(fd)) {}
  [[nodiscard]] tl::unexpected<Error> refused() const;

  std::string path_;
  UniqueFd fd_;
  std::string text_;
  std::string torn_end_;
};

}  // namespace sweetspot
