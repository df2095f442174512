// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "apps/sweetspot/doctor_user.hpp"
#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/wire/findings_json.hpp"

namespace sweetspot {

/// Who owns a file and what this user may do with it.
struct FileAccess {
  std::string path;
  int code = 0;  ///< errno of looking at it; the rest is unknown then
  mode_t mode = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  std::string owner;  ///< names, or numbers where there are none
  std::string group;
  bool may_read = false;
  bool may_write = false;
  bool on_read_only_system = false;
};
[[nodiscard]] FileAccess look_at(const std::string& path);

/// min_freq or max_freq. `service`: the group the installed service runs in, where it exists.
[[nodiscard]] Finding limit_file_finding(const FileAccess& file, const std::optional<GroupFacts>& service);
/// Everything that has to be read, in one finding that names what cannot be.
[[nodiscard]] Finding readable_finding(const std::vector<FileAccess>& files);
/// The service's socket: whether this user may connect, and whether nobody may who should not.
[[nodiscard]] Finding socket_finding(const FileAccess& socket);
/// The service's private folder: whoever may write there tells it what to restore.
[[nodiscard]] Finding runtime_folder_finding(const FileAccess& folder);

/// The two limit files, then the files that only have to be read: of the node, the load, the rails.
[[nodiscard]] std::vector<Finding> access_findings(const FileAttributes& board, const GpuNode& gpu);

}  // namespace sweetspot
