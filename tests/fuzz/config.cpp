// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/config.hpp"

#include <cmath>

#include "tests/fuzz/properties.hpp"
#include "wire/config_table.hpp"

// The daemon's configuration file.
namespace sweetspot::fuzz {
namespace {

/// Holds a configuration that was accepted against the table that says what may be.
struct Check {
  Config& config;

  void operator()(const SwitchKey&) const {}
  void operator()(const CountKey& key) const { require_within(static_cast<double>(key.at(config)), key); }
  void operator()(const NumberKey& key) const { require_within(key.at(config), key); }
  void operator()(const ClockKey& key) const {
    const Hertz clock = key.at(config);
    require(clock >= megahertz(1) && clock <= megahertz(100'000), "a clock is one");
  }
  void operator()(const TimeKey& key) const {
    const double value = in_seconds(key.at(config)) * (key.unit == TimeUnit::seconds ? 1 : 1000);
    if (key.zero_means_off && value == 0) return;
    constexpr double rounding = 1e-9;
    require(value >= key.lowest - rounding && value <= key.highest + rounding, "a time is within its range");
  }
  void operator()(const ChoiceKey& key) const {
    require(key.names.find(key.now(config)) != std::string_view::npos, "a choice is one of the names");
  }
  void operator()(const TextKey& key) const {
    const auto& text = key.at(config);
    require(!text || (!text->empty() && is_utf8(*text)), "a text is not empty");
  }
  void operator()(const TextListKey& key) const {
    const auto& list = key.at(config);
    require(!list || !list->empty(), "a list is not empty");
  }

  static void require_within(double value, const auto& key) {
    require(std::isfinite(value), "a number is finite");
    require(value >= static_cast<double>(key.lowest) && value <= static_cast<double>(key.highest),
            "a number is within its range");
  }
};

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  auto config = parse_config(as_text(bytes, size));
  if (!config) {
    require_good_error(config.error());
    return 0;
  }
  for (const ConfigRow& row : config_table()) std::visit(Check{*config}, row.kind);
  require(config->sampling.longest_step >= 2 * config->sampling.period, "samples have no gaps of their own");
  require(config->governor.policy.policy != Policy::tree || config->tree_file, "a tree has a file");
  return 0;
}
