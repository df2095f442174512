// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/frequency_table.hpp"
#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// The kernel's devfreq core as programs see it through min_freq, max_freq and governor: a pure value, no clock, no
/// file. Kernel 5.10 and later keep the user's limits as PM QoS requests in kHz (s32) and show the *effective* range,
/// in which max wins; kernel 4.9 (JetPack 4) refuses min > max with EINVAL and shows what was stored. Source:
/// drivers/devfreq/devfreq.c of Linux 4.9 and 6.1, and answers recorded from 6.1 (tests/data/devfreq-answers). Stores
/// return an errno, 0 = accepted.
class DevfreqModel {
 public:
  enum class Kernel { v4_9, v5_10 };

  DevfreqModel(FrequencyTable table, Kernel kernel, std::vector<std::string> governors);

  [[nodiscard]] int store_min(std::string_view text);
  [[nodiscard]] int store_max(std::string_view text);
  [[nodiscard]] int store_governor(std::string_view text);
  [[nodiscard]] int store_set_freq(std::string_view text);

  [[nodiscard]] Hertz min() const;
  [[nodiscard]] Hertz max() const;
  [[nodiscard]] const std::string& governor() const { return governor_; }
  [[nodiscard]] const std::vector<std::string>& governors() const { return governors_; }
  [[nodiscard]] std::string set_freq() const;
  [[nodiscard]] const FrequencyTable& table() const { return table_; }

  /// The kernel's own request (thermal cooling), kHz; empty lifts it.
  void cap(std::optional<std::int32_t> khz) { cap_khz_ = khz; }
  /// From now on the other kernel's rules; the limits in force stay.
  void behave_as(Kernel kernel);

  /// What devfreq asks the driver for, given what nvhost_podgov would like. The driver takes an entry of the table:
  /// under podgov the first one not below the wish, as nvgpu does (an off-table cap is exceeded); under the others what
  /// the devfreq core recommends (rounded down where max cut the wish). Also what target_freq shows afterwards.
  Hertz retarget(Hertz podgov_wish);
  [[nodiscard]] Hertz target() const { return target_; }

 private:
  [[nodiscard]] int store_min_4_9(std::uint64_t hz);
  [[nodiscard]] int store_max_4_9(std::uint64_t hz);
  [[nodiscard]] std::uint64_t wish(Hertz podgov_wish) const;

  FrequencyTable table_;
  Kernel kernel_;
  std::vector<std::string> governors_;
  std::string governor_;
  std::int32_t user_min_khz_ = 0;
  std::int32_t user_max_khz_;
  std::uint64_t stored_min_hz_;
  std::uint64_t stored_max_hz_;
  std::optional<std::int32_t> cap_khz_;
  std::optional<std::uint64_t> set_freq_hz_;
  Hertz target_;
};

/// The kernel's sscanf("%lu"): leading blanks skipped, base 10, no sign, rubbish after the number ignored, wraps at
/// 2^64.
[[nodiscard]] std::optional<std::uint64_t> kernel_scan_unsigned(std::string_view text);

}  // namespace sweetspot
