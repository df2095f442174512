// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// A kernel event about a device: what happened to what.
struct Uevent {
  std::string action;     // "add", "remove", "change", "bind", …
  std::string devpath;    // "/devices/platform/…", without /sys
  std::string subsystem;  // "devfreq", "hwmon"

  friend bool operator==(const Uevent&, const Uevent&) = default;
};

/// The kernel's uevent multicast: wakes the daemon when a GPU node or a power monitor appears, instead of probing.
/// Sandboxes and containers often have none; an error is tolerated and probing by timer remains.
class Uevents {
 public:
  [[nodiscard]] static Result<Uevents> open();
  /// Non-blocking and close-on-exec; readable when an event waits.
  [[nodiscard]] int fd() const { return fd_.value(); }
  /// The next event; empty when none waits. Messages not sent by the kernel are dropped. ENOBUFS: events were lost,
  /// look at the board anew.
  [[nodiscard]] Result<std::optional<Uevent>> next();

 private:
  explicit Uevents(UniqueFd fd) : fd_(std::move(fd)) {}
  UniqueFd fd_;
};

/// "add@/devices/…\0ACTION=add\0DEVPATH=…\0SUBSYSTEM=…\0". Empty for anything else, such as udev's own messages.
[[nodiscard]] std::optional<Uevent> parse_uevent(std::string_view message);

}  // namespace sweetspot
