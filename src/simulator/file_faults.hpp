// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

enum class AccessKind { open, read, write };

/// What can be wrong with single files, by their path from the mount.
class FileFaults {
 public:
  /// `count` accesses fail; empty: until cleared.
  void fail(const std::string& path, AccessKind kind, int code, std::optional<int> count);
  /// Accesses do not return before `until`.
  void block(const std::string& path, AccessKind kind, Instant until);
  /// Each access takes `delay` longer.
  void slow(const std::string& path, AccessKind kind, Duration delay);
  /// The file reads `text`, whatever the board does.
  void freeze(const std::string& path, std::string text);
  void clear(const std::string& path) { faults_.erase(path); }
  void clear_all() { faults_.clear(); }

  /// The errno the access gets, 0 for none; counts it.
  [[nodiscard]] int take_error(const std::string& path, AccessKind kind);
  [[nodiscard]] std::optional<Instant> held_until(const std::string& path, AccessKind kind, Instant now) const;
  [[nodiscard]] std::optional<std::string> frozen(const std::string& path) const;

 private:
  struct Fault {
    int code = 0;
    std::optional<int> left;
    std::optional<Instant> until;
    Duration delay{0};
  };
  struct File {
    std::map<AccessKind, Fault> by_kind;
    std::optional<std::string> text;
  };
  std::map<std::string, File> faults_;
};

}  // namespace sweetspot
