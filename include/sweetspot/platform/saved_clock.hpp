// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sweetspot/core/clock_verdict.hpp"
#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// What it takes to undo a pin from another process: written before the first write to the board and before every new
/// target.
struct SavedClock {
  std::string boot_id;
  std::string node;  // the devfreq directory, as on the board
  ClockLimits found;
  std::optional<Hertz> last_target;  // the limits last written completely
  std::optional<Hertz> next_target;  // limits that may be written in part
  std::optional<int> power_mode;     // nvpmodel's id when `found` was true
  PinStyle style = PinStyle::exact;
  std::string governor;

  friend bool operator==(const SavedClock&, const SavedClock&) = default;
};

/// `key=value` lines, every key once, in any order; parse(format(x)) == x. Hostile, truncated or unknown text is an
/// error.
[[nodiscard]] std::string format_saved_clock(const SavedClock& saved);
[[nodiscard]] Result<SavedClock> parse_saved_clock(std::string_view text);

/// The file `saved-clock` in the runtime folder (0700, private to the daemon). Replaced by rename after fsync, so a
/// reader sees the old or the new text, whatever dies when.
class SavedClockStore {
 public:
  /// `boot_id`: empty reads the kernel's. A file of another boot does not exist for load(): its limits went with the
  /// reboot.
  explicit SavedClockStore(std::string runtime_dir, std::string boot_id = {});

  [[nodiscard]] Result<std::optional<SavedClock>> load() const;
  [[nodiscard]] Result<void> save(const SavedClock& saved) const;
  [[nodiscard]] Result<void> remove() const;
  [[nodiscard]] const std::string& boot_id() const { return boot_id_; }
  [[nodiscard]] const std::string& runtime_dir() const { return runtime_dir_; }

 private:
  std::string runtime_dir_;
  std::string boot_id_;
};

}  // namespace sweetspot
