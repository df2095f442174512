// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/known_modes.hpp"

namespace sweetspot {

std::vector<CappedMode> capped_modes_of(std::string_view platform) {
  if (platform == "agx-orin-64")
    return {{"MODE_15W", megahertz(408)}, {"MODE_30W", megahertz(612)}, {"MODE_50W", megahertz(816)}};
  if (platform == "agx-orin-32")
    return {{"MODE_15W", megahertz(408)}, {"MODE_30W", megahertz(612)}, {"MODE_40W", megahertz(816)}};
  if (platform == "orin-nx-16") return {{"10W", megahertz(612)}, {"15W", megahertz(612)}, {"25W", megahertz(408)}};
  if (platform == "orin-nano-super") return {{"15W", megahertz(612)}, {"25W", megahertz(918)}};
  if (platform == "agx-xavier")
    return {{"MODE_10W", megahertz(522.75)}, {"MODE_15W", megahertz(675.75)}, {"MODE_30W_ALL", megahertz(905.25)}};
  return {};
}

}  // namespace sweetspot
