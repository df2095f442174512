// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweetspot/platform/attributes.hpp"
#include "sweetspot/platform/kept_attribute.hpp"

namespace sweetspot {

/// The cooling devices that can lower the GPU's max_freq (type names a GPU or devfreq). While one has cur_state > 0,
/// what max_freq and min_freq read may be a momentary thermal cap and not what anybody wrote. The board outlives them.
class CoolingDevices {
 public:
  [[nodiscard]] static CoolingDevices find(const Attributes& board);
  /// Types of those with cur_state > 0 now; one that cannot be read counts as resting.
  [[nodiscard]] std::vector<std::string> active() const;

 private:
  struct Device {
    std::string type;
    KeptAttribute state;  ///< read before and after every look at the limits
  };

  std::vector<Device> devices_;
};

/// Degrees Celsius of the GPU's zone, else of the junction zone "tj". Zones are matched by type, their numbers move.
/// Empty where there is none or the unit is off (EAGAIN, or the -256 °C some releases report).
[[nodiscard]] std::optional<double> gpu_temperature(const Attributes& board);

}  // namespace sweetspot
