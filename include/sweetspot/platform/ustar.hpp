// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace sweetspot {

/// Writes a tar archive in memory: POSIX ustar, with a pax header where a path or a link's target is too long for it.
/// Owner 0, no names, and one date for all, so that the same members always give the same bytes. For the small archives
/// of recorded boards; why no library is in docs/decisions.
class UstarWriter {
 public:
  /// Paths are relative; `mode`: permission bits.
  void add_file(const std::string& path, std::string_view bytes, unsigned mode);
  void add_link(const std::string& path, const std::string& target);
  /// The archive with its end mark. Call last.
  [[nodiscard]] std::string take();

 private:
  struct Member {
    const std::string& path;
    const std::string& target;
    char type;
    unsigned mode;
    std::string_view bytes;
  };
  void add(const Member& member);
  void add_block(const Member& member, const std::string& name, const std::string& prefix);

  std::string archive_;
};

}  // namespace sweetspot
