// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace sweetspot {

/// A file of a recorded board, or one of its symlinks.
struct RecordedEntry {
  enum class Kind { file, link };
  Kind kind = Kind::file;
  std::string text;   ///< a file's text without its final newline, or a link's target
  int code = 0;       ///< errno of the read; the text is empty then
  unsigned mode = 0;  ///< permission bits of a file
  friend bool operator==(const RecordedEntry&, const RecordedEntry&) = default;
};

/// A board's files by real path, and the symlinks that lead to them. Folders are those that hold something.
using Recording = std::map<std::string, RecordedEntry>;

/// As tests/data/README.md has it: `[folder]`, `name = text`, `name -> target`, `name ! ERRNO`; a mode other than 0444
/// stands before the sign. Sorted by folder: the same board always gives the same text. `comment`: the first line.
[[nodiscard]] std::string recording_text(const Recording& recording, const std::string& comment);

/// The bytes a file had: texts end with a newline, which attributes leave out, but for device tree texts, which end
/// with NUL, and empty files.
[[nodiscard]] std::string file_bytes(const RecordedEntry& file);

/// "ENODATA"; a number where the errno has no name here.
[[nodiscard]] std::string errno_word(int code);

}  // namespace sweetspot
