// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/record.hpp"
#include "sweetspot/wire/status_report.hpp"

namespace sweetspot {

/// Values of every kind, from a seed: the same seed gives the same values.
class Samples {
 public:
  explicit Samples(std::uint64_t seed) : random_(seed) {}

  bool chance() { return (random_() & 1U) != 0; }
  std::int64_t whole(std::int64_t lowest, std::int64_t highest) {
    return std::uniform_int_distribution<std::int64_t>(lowest, highest)(random_);
  }
  double real() { return std::uniform_real_distribution<double>(-1e6, 1e6)(random_); }
  std::string text();
  Duration duration() { return Duration(whole(0, 20LL * 24 * 3600 * 1'000'000'000)); }  // exact to the nanosecond
  std::chrono::system_clock::time_point date() {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(whole(0, 4'000'000'000'000)));
  }
  Hertz clock() { return Hertz{static_cast<std::uint64_t>(whole(0, 100'000'000'000))}; }

  template <class Make>
  auto maybe(Make make) {
    return chance() ? std::optional(make()) : std::nullopt;
  }
  template <class Make>
  auto some(Make make) {
    std::vector<decltype(make())> items;
    for (std::int64_t i = whole(0, 4); i > 0; --i) items.push_back(make());
    return items;
  }

  Decision decision();
  EnergyRecord record();
  JobSpec spec();
  StatusReport status();

 private:
  StatusReport::Job job();
  std::mt19937_64 random_;
};

/// Every optional field set.
[[nodiscard]] EnergyRecord full_record();
[[nodiscard]] JobSpec full_spec();
[[nodiscard]] StatusReport full_status();

}  // namespace sweetspot
