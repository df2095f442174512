// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sweetspot/core/learned_profile.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// More kinds of jobs than one board sees.
inline constexpr std::size_t most_profiles = 10'000;
inline constexpr std::size_t longest_profiles_bytes = 16 * 1024 * 1024;

/// The file of the daemon in its state folder.
[[nodiscard]] inline std::string profiles_path(const std::string& state_folder) {
  return state_folder + "/profiles.json";
}

/// What was learned as a file, the newest most_profiles of it (format "sweetspot-profiles", version 1;
/// docs/adaptive.md): what the daemon keeps, what `sweetspot profiles export` writes and `import` takes.
[[nodiscard]] std::string profiles_text(const ProfileBook& book);
/// Takes any bytes. Errors name the place, for example "profiles[3].jobs".
[[nodiscard]] Result<ProfileBook> parse_profiles(std::string_view text);

}  // namespace sweetspot
