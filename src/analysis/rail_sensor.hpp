// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sweetspot {

/// What the sensor of a board's rails does to a steady power, when it is read ten times a second for a while.
///
/// An INA3221 counts in whole steps of the current: 20 mA or 8 mA, which at the voltage of the rail is 0.4 W on AGX
/// Orin and Thor, 0.15 W on AGX Xavier and 0.04 W on boards that measure their 5 V. Noise of a quarter of a step is
/// taken to be on the power, so that the mean of many readings lies beside the power by up to a tenth of a step per
/// rail.
class RailSensor {
 public:
  /// `scope`: the rails that are counted, joined by "+"; the first one draws all but 2 W of each other one.
  RailSensor(std::string_view platform, std::string_view scope);

  /// What readings of this power, in watts, come to on the average.
  [[nodiscard]] double mean_of(double watts) const;
  /// The standard deviation of the joules of so many seconds, in watts times seconds.
  [[nodiscard]] double deviation(double seconds) const;

 private:
  double step_;  ///< W
  int rails_;
};

}  // namespace sweetspot
