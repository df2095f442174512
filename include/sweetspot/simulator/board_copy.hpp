// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A file or a symlink of a board that somebody recorded.
struct CopiedFile {
  bool is_link = false;
  std::string text;            ///< without the final newline; a link's target
  int code = 0;                ///< errno of a file that could not be read
  std::optional<mode_t> mode;  ///< where the recording gives one
};

/// A recorded board (tests/data/README.md), as the simulator plays it. The reader is the simulator's own: a mistake in
/// the recorder's must not be undone here.
class BoardCopy {
 public:
  /// Refuses a line that is none, by its number.
  [[nodiscard]] static Result<BoardCopy> parse(std::string_view text);
  /// `path`: an archive that `sweetspot record-board` wrote, or a folder with tree.txt.
  [[nodiscard]] static Result<BoardCopy> load(const std::string& path);

  [[nodiscard]] bool empty() const { return files_.empty(); }
  /// By real path, sorted.
  [[nodiscard]] const std::map<std::string, CopiedFile>& files() const { return files_; }
  /// The real path, links followed; empty where nothing is there.
  [[nodiscard]] std::optional<std::string> real_path(const std::string& path) const;
  /// A readable file's text, links followed.
  [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
  [[nodiscard]] std::optional<double> number(const std::string& path) const;
  /// errno of reading it; 0 where it can be read or is not there.
  [[nodiscard]] int error(const std::string& path) const;
  [[nodiscard]] bool exists(const std::string& path) const { return real_path(path).has_value(); }
  /// Names in a folder.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder) const;

 private:
  [[nodiscard]] std::optional<std::string> resolve(const std::string& path, int links_left) const;
  [[nodiscard]] const CopiedFile* file(const std::string& path) const;

  std::map<std::string, CopiedFile> files_;
};

/// The bytes of the file: texts end with a newline, but for device tree texts, which end with NUL, and empty files.
[[nodiscard]] std::string bytes_of(const CopiedFile& file);

}  // namespace sweetspot
