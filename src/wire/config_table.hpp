// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sweetspot/wire/config.hpp"

namespace sweetspot {

// The kinds of values in a configuration file: where each lives in a Config, and what it may be.

struct SwitchKey {
  bool& (*at)(Config&);
};
struct CountKey {
  std::uint64_t& (*at)(Config&);
  std::uint64_t lowest;
  std::uint64_t highest;
};
struct NumberKey {
  double& (*at)(Config&);
  double lowest;
  double highest;
};
/// "612MHz" or a number of Hz.
struct ClockKey {
  Hertz& (*at)(Config&);
};
enum class TimeUnit { seconds, milliseconds };
/// A number in `unit`, which the key's name ends with.
struct TimeKey {
  Duration& (*at)(Config&);
  TimeUnit unit;
  double lowest;
  double highest;
  bool zero_means_off = false;
};
/// One of a few names.
struct ChoiceKey {
  std::string_view (*now)(const Config&);
  bool (*choose)(Config&, std::string_view name);  ///< false: there is no such name
  std::string_view names;
};
/// A text, or null.
struct TextKey {
  std::optional<std::string>& (*at)(Config&);
};
/// A list of texts, or null.
struct TextListKey {
  std::optional<std::vector<std::string>>& (*at)(Config&);
};

struct ConfigRow {
  std::string_view path;  ///< groups are separated by a dot
  std::string_view doc;
  std::variant<SwitchKey, CountKey, NumberKey, ClockKey, TimeKey, ChoiceKey, TextKey, TextListKey> kind;
};

/// Every key there is.
[[nodiscard]] std::span<const ConfigRow> config_table();

}  // namespace sweetspot
