// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/tree_attributes.hpp"

namespace sweetspot::tests {

/// Which devfreq core answers: 4.9 stores limits and refuses min > max; since 5.5 they are requests, max wins, and
/// reads give the effective range, a thermal cap included.
enum class DevfreqKernel { v4_9, v5_10 };

/// Thrown where the process is meant to die.
struct Crash {};

/// One GPU in memory, on the path and with the table of an AGX Orin, whose min_freq and max_freq answer as the kernel's
/// do. Tests see the sequence of writes, inject errnos, play other writers and a thermal cap, and let the process die
/// at any access.
class MemoryAttributes : public TreeAttributes {
 public:
  struct Write {
    std::string file;
    std::uint64_t value = 0;
    friend bool operator==(const Write&, const Write&) = default;
  };

  static inline const std::string device = "/sys/devices/platform/bus@0/17000000.gpu";
  static inline const std::string node = device + "/devfreq/17000000.gpu";
  static constexpr std::uint64_t lowest = 306000000;
  static constexpr std::uint64_t highest = 1300500000;

  explicit MemoryAttributes(DevfreqKernel kernel) : kernel_(kernel) {
    set(node + "/available_frequencies",
        "306000000 408000000 510000000 612000000 714000000 816000000 918000000 1020000000 1122000000 1224000000 "
        "1300500000");
    for (const char* file : {"/min_freq", "/max_freq", "/cur_freq"}) set(node + file, "");
    set(node + "/governor", "nvhost_podgov");
    set(device + "/load", "500");
    set(device + "/is_railgated", "no");
    set("/sys/class/thermal/cooling_device0/type", "cpufreq-cpu0");
    set("/sys/class/thermal/cooling_device0/cur_state", "3");
    set(cooling_state, "0");
    set("/sys/class/thermal/cooling_device1/type", "devfreq-17000000.gpu");
    link("/sys/class/devfreq/17000000.gpu", "../../devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu");
    link(node + "/device", "../..");
    set_mode(0);
  }

  // What others do.
  void others_write_min(std::uint64_t value) { (void)store("min_freq", value), written_["min_freq"] = true; }
  void others_write_max(std::uint64_t value) { (void)store("max_freq", value), written_["max_freq"] = true; }
  /// Both limits, in the order that every kernel takes.
  void others_write(std::uint64_t min, std::uint64_t max) {
    if (max >= min_) {
      others_write_max(max);
      others_write_min(min);
    } else {
      others_write_min(min);
      others_write_max(max);
    }
  }
  void set_mode(int id) { set("/var/lib/nvpmodel/status", "pmode:000" + std::to_string(id)); }
  void set_thermal_cap(std::uint64_t cap) {
    thermal_ = cap;
    set(cooling_state, "2");
  }
  void clear_thermal_cap() {
    thermal_ = unlimited;
    set(cooling_state, "0");
  }
  void set_current(std::uint64_t clock) { current_ = clock; }

  // What a test looks at.
  [[nodiscard]] std::uint64_t requested_min() const { return std::max(min_, lowest); }
  [[nodiscard]] std::uint64_t requested_max() const { return std::min(max_, highest); }
  [[nodiscard]] std::uint64_t shown_max() const {
    return kernel_ == DevfreqKernel::v4_9 ? max_ : std::min({max_, thermal_, highest});
  }
  [[nodiscard]] std::uint64_t shown_min() const {
    return kernel_ == DevfreqKernel::v4_9 ? min_ : std::min(std::max(min_, lowest), shown_max());
  }
  [[nodiscard]] const std::vector<Write>& writes() const { return log_; }
  void forget_writes() { log_.clear(); }
  /// How many of our writes the kernel answered with EINVAL.
  [[nodiscard]] int refusals() const { return refusals_; }
  [[nodiscard]] DevfreqKernel kernel() const { return kernel_; }

  // What goes wrong.
  /// The next `times` writes to the file ("min_freq") fail with `code`.
  void fail_writes(const std::string& file, int code, int times = 1) { failing_[file] = {code, times}; }
  /// Dies at the n-th access from now: before it takes effect, or after.
  void crash_at(int access, bool after) {
    accesses_ = 0;
    crash_at_ = access;
    crash_after_ = after;
  }
  void live() { crash_at_ = -1; }
  /// Runs just before a write of ours to the file takes effect, once: another writer who gets in between.
  void before_write(const std::string& file, std::function<void()> action) {
    interruption_ = {file, std::move(action)};
  }
  /// Runs just before the n-th access from now, once.
  void before_access(int access, std::function<void()> action) {
    accesses_ = 0;
    event_ = {access, std::move(action)};
  }
  void show_writes_of_others() { writes_visible_ = true; }

  std::optional<bool> written_since_last_asked(const std::string& path) override {
    if (!writes_visible_) return std::nullopt;
    const std::string file = path.substr(path.rfind('/') + 1);
    if (written_.count(file) == 0) {
      written_[file] = false;
      return std::nullopt;
    }
    return std::exchange(written_[file], false);
  }

 protected:
  Result<std::string> read_real(const std::string& path) const override {
    step();
    auto text = read_file(path);
    step_after();
    return text;
  }

  Result<void> write_real(const std::string& path, const std::string& text) override {
    step();
    const std::string file = path.substr(path.rfind('/') + 1);
    if (interruption_ && interruption_->first == file) {
      const auto action = std::move(interruption_->second);
      interruption_.reset();
      action();
    }
    auto done = write_file(path, file, text);
    step_after();
    return done;
  }

 private:
  static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  static inline const std::string cooling_state = "/sys/class/thermal/cooling_device1/cur_state";

  Result<std::string> read_file(const std::string& path) const {
    if (path == node + "/min_freq") return std::to_string(shown_min());
    if (path == node + "/max_freq") return std::to_string(shown_max());
    if (path == node + "/cur_freq") return std::to_string(current_.value_or(shown_min()));
    return TreeAttributes::read_real(path);
  }

  Result<void> write_file(const std::string& path, const std::string& file, const std::string& text) {
    const std::string what = "write " + path + ": " + text;
    if (auto failing = failing_.find(file); failing != failing_.end() && failing->second.second-- > 0) {
      return refused(what, failing->second.first);
    }
    if (file != "min_freq" && file != "max_freq") return refused(what, EACCES);
    const std::uint64_t value = std::stoull(text);
    log_.push_back({file, value});
    written_[file] = true;
    if (!store(file, value)) return ++refusals_, refused(what, EINVAL);
    return {};
  }

  bool store(const std::string& file, std::uint64_t value) {
    const bool is_min = file == "min_freq";
    if (kernel_ == DevfreqKernel::v5_10) {
      if (is_min) min_ = value / 1000 * 1000;
      if (!is_min) max_ = value == 0 ? unlimited : (value + 999) / 1000 * 1000;
      return true;
    }
    if (value == 0) value = is_min ? lowest : highest;
    if (is_min ? value > max_ : value < min_) return false;
    (is_min ? min_ : max_) = std::clamp(value, lowest, highest);
    return true;
  }

  void step() const {
    if (event_ && accesses_ + 1 == event_->first) std::exchange(event_, {})->second();
    if (++accesses_ == crash_at_ && !crash_after_) throw Crash{};
  }
  void step_after() const {
    if (accesses_ == crash_at_ && crash_after_) throw Crash{};
  }

  DevfreqKernel kernel_;
  std::uint64_t min_ = lowest;
  std::uint64_t max_ = highest;
  std::uint64_t thermal_ = unlimited;
  std::optional<std::uint64_t> current_;
  std::vector<Write> log_;
  std::map<std::string, bool> written_;
  std::map<std::string, std::pair<int, int>> failing_;
  std::optional<std::pair<std::string, std::function<void()>>> interruption_;
  bool writes_visible_ = false;
  int refusals_ = 0;
  mutable int accesses_ = 0;
  mutable std::optional<std::pair<int, std::function<void()>>> event_;
  int crash_at_ = -1;
  bool crash_after_ = false;
};

}  // namespace sweetspot::tests
