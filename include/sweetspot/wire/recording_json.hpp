// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sweetspot {

/// What `sweetspot record-board` wrote.
struct RecordingReport {
  std::string file;       ///< the archive
  std::string name;       ///< of the folder in it
  std::size_t files = 0;  ///< readable or not
  std::size_t links = 0;
  std::size_t identifiers_removed = 0;
  std::vector<std::string> unreadable;  ///< "PATH: ERRNO"
  bool has_gpu = false;
};

/// {"file", "name", "files", "links", "identifiers_removed", "unreadable": […], "has_gpu"}.
[[nodiscard]] std::string recording_report_json(const RecordingReport& report);

}  // namespace sweetspot
