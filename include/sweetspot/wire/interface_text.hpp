// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sweetspot {

inline constexpr std::string_view governor_interface = "io.sweetspotd.Governor";
inline constexpr std::string_view service_interface = "org.varlink.service";

/// config/io.sweetspotd.Governor.varlink, as it was when the program was built.
[[nodiscard]] std::string_view governor_interface_text();
/// The interface every varlink service has.
[[nodiscard]] std::string_view service_interface_text();

}  // namespace sweetspot
