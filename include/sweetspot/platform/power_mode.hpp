// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// nvpmodel's current power mode. Mode ids mean nothing across boards (mode 0 is not MAXN everywhere): people get the
/// name.
struct PowerMode {
  int id = 0;
  std::string name;  // empty where nvpmodel.conf does not name it

  friend bool operator==(const PowerMode&, const PowerMode&) = default;
};

/// Its name, else "mode 3".
[[nodiscard]] std::string to_text(const PowerMode& mode);

/// From /var/lib/nvpmodel/status and /etc/nvpmodel.conf. Empty where nvpmodel is not installed or never ran.
[[nodiscard]] std::optional<PowerMode> read_power_mode(const Attributes& board);
/// The mode of that id: the name alone is looked up.
[[nodiscard]] PowerMode read_power_mode(const Attributes& board, int id);
/// The id alone: one small read, for checks once per second.
[[nodiscard]] std::optional<int> read_power_mode_id(const Attributes& board);

/// "pmode:0002" and whatever follows → 2.
[[nodiscard]] std::optional<int> parse_power_mode_status(std::string_view text);
/// "< POWER_MODEL ID=2 NAME=MODE_30W >" lines → names by id.
[[nodiscard]] std::map<int, std::string> parse_power_mode_names(std::string_view conf);

}  // namespace sweetspot
