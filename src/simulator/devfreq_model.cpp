// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/devfreq_model.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <limits>

namespace sweetspot {

namespace {

// PM_QOS_MAX_FREQUENCY_DEFAULT_VALUE: no limit.
constexpr std::int32_t no_max = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t hz_per_khz = 1000;

bool blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
bool digit(char c) {
  return c >= '0' && c <= '9';
}

// (unsigned long)s32 * 1000: a negative request becomes huge, as in the kernel.
std::uint64_t in_hz(std::int32_t khz) {
  return static_cast<std::uint64_t>(std::int64_t{khz}) * hz_per_khz;
}
std::int32_t as_s32(std::uint64_t khz) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(khz));
}

std::string first_word(std::string_view text, std::size_t longest) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  const auto end = std::find_if(text.begin(), text.end(), blank);
  return std::string(text.substr(0, std::min(longest, static_cast<std::size_t>(end - text.begin()))));
}

// kstrtoul with base 0: decimal, 0x hexadecimal, 0 octal; one newline may follow, nothing else; a plus sign may lead.
std::optional<std::uint64_t> kernel_strict_unsigned(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Hertz first_not_below(const FrequencyTable& table, std::uint64_t wish) {
  for (const Hertz clock : table.clocks()) {
    if (clock.value >= wish) return clock;
  }
  return table.highest();
}

Hertz last_not_above(const FrequencyTable& table, std::uint64_t wish) {
  return table.highest_within(Hertz{wish}).value_or(table.lowest());
}

}  // namespace

std::optional<std::uint64_t> kernel_scan_unsigned(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && blank(text[at])) ++at;
  if (at == text.size() || !digit(text[at])) return std::nullopt;
  std::uint64_t value = 0;
  for (; at < text.size() && digit(text[at]); ++at) value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
  return value;
}

DevfreqModel::DevfreqModel(FrequencyTable table, Kernel kernel, std::vector<std::string> governors)
    : table_(std::move(table)),
      kernel_(kernel),
      governors_(std::move(governors)),
      governor_(governors_.front()),
      user_max_khz_(no_max),
      stored_min_hz_(table_.lowest().value),
      stored_max_hz_(table_.highest().value),
      target_(table_.lowest()) {}

void DevfreqModel::behave_as(Kernel kernel) {
  const Hertz low = min();
  const Hertz high = max();
  kernel_ = kernel;
  stored_min_hz_ = low.value;
  stored_max_hz_ = high.value;
  user_min_khz_ = low == table_.lowest() ? 0 : as_s32(low.value / hz_per_khz);
  user_max_khz_ = high == table_.highest() ? no_max : as_s32(high.value / hz_per_khz);
}

int DevfreqModel::store_min(std::string_view text) {
  const auto hz = kernel_scan_unsigned(text);
  if (!hz) return EINVAL;
  if (kernel_ == Kernel::v4_9) return store_min_4_9(*hz);
  user_min_khz_ = as_s32(*hz / hz_per_khz);
  return 0;
}

int DevfreqModel::store_max(std::string_view text) {
  const auto hz = kernel_scan_unsigned(text);
  if (!hz) return EINVAL;
  if (kernel_ == Kernel::v4_9) return store_max_4_9(*hz);
  user_max_khz_ = *hz == 0 ? no_max : as_s32(*hz / hz_per_khz + (*hz % hz_per_khz != 0 ? 1 : 0));
  return 0;
}

int DevfreqModel::store_min_4_9(std::uint64_t hz) {
  if (hz > stored_max_hz_) return EINVAL;
  stored_min_hz_ = std::max(hz, table_.lowest().value);
  return 0;
}

int DevfreqModel::store_max_4_9(std::uint64_t hz) {
  if (hz != 0 && hz < stored_min_hz_) return EINVAL;
  stored_max_hz_ = hz == 0 ? table_.highest().value : std::min(hz, table_.highest().value);
  return 0;
}

int DevfreqModel::store_governor(std::string_view text) {
  constexpr std::size_t longest_name = 15;
  const std::string name = first_word(text, longest_name);
  if (std::find(governors_.begin(), governors_.end(), name) == governors_.end()) return EINVAL;
  if (name != governor_) set_freq_hz_.reset();
  governor_ = name;
  return 0;
}

int DevfreqModel::store_set_freq(std::string_view text) {
  const auto hz = kernel_strict_unsigned(text);
  if (!hz) return EINVAL;
  set_freq_hz_ = *hz;
  return 0;
}

std::string DevfreqModel::set_freq() const {
  return set_freq_hz_ ? std::to_string(*set_freq_hz_) : "undefined";
}

Hertz DevfreqModel::max() const {
  if (kernel_ == Kernel::v4_9) return Hertz{stored_max_hz_};
  const std::int32_t khz = std::min(user_max_khz_, cap_khz_.value_or(no_max));
  const std::uint64_t request = khz == no_max ? table_.highest().value : in_hz(khz);
  return Hertz{std::min(table_.highest().value, request)};
}

Hertz DevfreqModel::min() const {
  if (kernel_ == Kernel::v4_9) return Hertz{stored_min_hz_};
  // The kernel's own floor request of 0 keeps a negative one from winning.
  const std::uint64_t low = std::max(table_.lowest().value, in_hz(std::max(user_min_khz_, 0)));
  return std::min(Hertz{low}, max());
}

std::uint64_t DevfreqModel::wish(Hertz podgov_wish) const {
  if (governor_ == "performance") return std::numeric_limits<std::uint64_t>::max();
  if (governor_ == "powersave") return 0;
  if (governor_ == "userspace") return set_freq_hz_.value_or(target_.value);
  return podgov_wish.value;
}

Hertz DevfreqModel::retarget(Hertz podgov_wish) {
  const std::uint64_t wanted = std::max(wish(podgov_wish), min().value);
  const bool cut = wanted > max().value;
  const std::uint64_t clipped = cut ? max().value : wanted;
  const bool round_down = cut && governor_ != "nvhost_podgov";
  target_ = round_down ? last_not_above(table_, clipped) : first_not_below(table_, clipped);
  return target_;
}

}  // namespace sweetspot
