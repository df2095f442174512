// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweetspot {

/// Notices that measurements no longer scatter around what was expected: Page's cumulative sums, both ways. A shift by
/// two standard deviations shows after some six windows; a false alarm comes once in many thousand.
class DriftWatch {
 public:
  /// `surprise`: measured less expected, in standard deviations. True: something has changed; it starts anew.
  bool add(double surprise);

 private:
  double above_ = 0;
  double below_ = 0;
};

}  // namespace sweetspot
