// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "wire/config_table.hpp"

namespace sweetspot {
namespace {

std::string span_text(double lowest, double highest) {
  return number_text(lowest) + " to " + number_text(highest);
}

/// Describes a kind of key, with its value in a default configuration.
struct Describe {
  Config& defaults;
  ConfigKey& out;

  void operator()(const SwitchKey& key) const {
    out.type = "true or false";
    out.default_value = key.at(defaults) ? "true" : "false";
  }
  void operator()(const CountKey& key) const {
    out.type = "whole number";
    out.default_value = std::to_string(key.at(defaults));
    out.range = std::to_string(key.lowest) + " to " + std::to_string(key.highest);
  }
  void operator()(const NumberKey& key) const {
    out.type = "number";
    out.default_value = number_text(key.at(defaults));
    out.range = span_text(key.lowest, key.highest);
  }
  void operator()(const ClockKey& key) const {
    std::string clock = to_text(key.at(defaults));
    clock.erase(clock.find(' '), 1);
    out.type = "clock";
    out.default_value = '"' + clock + '"';
    out.range = "1MHz to 100GHz";
  }
  void operator()(const TimeKey& key) const {
    const double value = in_seconds(key.at(defaults));
    out.type = key.unit == TimeUnit::seconds ? "seconds" : "milliseconds";
    out.default_value = number_text(key.unit == TimeUnit::seconds ? value : value * 1000);
    out.range = (key.zero_means_off ? "0 (off), " : "") + span_text(key.lowest, key.highest);
  }
  void operator()(const ChoiceKey& key) const {
    out.type = key.names;
    out.default_value = '"' + std::string(key.now(defaults)) + '"';
  }
  void operator()(const TextKey&) const {
    out.type = "text or null";
    out.default_value = "null";
  }
  void operator()(const TextListKey&) const {
    out.type = "list of texts or null";
    out.default_value = "null";
  }
};

}  // namespace

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    Config defaults;
    for (const ConfigRow& row : config_table()) {
      ConfigKey key{.path = std::string(row.path), .doc = std::string(row.doc)};
      std::visit(Describe{defaults, key}, row.kind);
      all.push_back(std::move(key));
    }
    return all;
  }();
  return keys;
}

}  // namespace sweetspot
