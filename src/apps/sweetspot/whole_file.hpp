// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// A file's bytes. Errors name the path and carry the errno; more than `limit` bytes are EFBIG.
[[nodiscard]] Result<std::string> whole_file(const std::string& path, std::size_t limit);

/// Writes all of `text`, however many writes that takes; false: errno says why not.
[[nodiscard]] bool write_all(int fd, const std::string& text);

/// Whether a folder is there.
[[nodiscard]] bool is_folder(const std::string& path);

/// Makes `path`, which must not exist (EEXIST); one that could not be written to its end is removed. World-readable.
[[nodiscard]] Result<void> create_file(const std::string& path, const std::string& text);

/// Replaces `path` by rename, so that a reader sees the old or the new text. World-readable.
[[nodiscard]] Result<void> replace_file(const std::string& path, const std::string& text);

}  // namespace sweetspot
