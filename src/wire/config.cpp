// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/config.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "wire/config_table.hpp"
#include "wire/field_reader.hpp"
#include "wire/nearest_name.hpp"

namespace sweetspot {
namespace {

FieldProblem read_within(const Json& json, const Place& at, double lowest, double highest, double& out) {
  if (!json.is_number() || !(json.get<double>() >= lowest && json.get<double>() <= highest))
    return unexpected_value(at, "a number from " + number_text(lowest) + " to " + number_text(highest), json);
  out = json.get<double>();
  return std::nullopt;
}

/// Sets one key of a configuration from its JSON value.
struct Setter {
  Config& config;
  const Json& json;
  const Place& at;

  FieldProblem operator()(const SwitchKey& key) const { return read(json, at, UnknownKeys::refused, key.at(config)); }
  FieldProblem operator()(const CountKey& key) const {
    std::uint64_t value = 0;
    if (read_unsigned(json, at, key.highest, value) || value < key.lowest)
      return unexpected_value(
          at, "a whole number from " + std::to_string(key.lowest) + " to " + std::to_string(key.highest), json);
    key.at(config) = value;
    return std::nullopt;
  }
  FieldProblem operator()(const NumberKey& key) const {
    return read_within(json, at, key.lowest, key.highest, key.at(config));
  }
  FieldProblem operator()(const ClockKey& key) const {
    // A bare number takes the same way as a text of digits: one rule for what is a clock.
    const std::string text = json.is_string() ? json.get<std::string>() : json.is_number_unsigned() ? json.dump() : "";
    const auto clock = parse_frequency(text);
    if (!clock) return unexpected_value(at, "a clock such as \"612MHz\" or 612000000 (Hz)", json);
    key.at(config) = *clock;
    return std::nullopt;
  }
  FieldProblem operator()(const TimeKey& key) const {
    double value = 0;
    const bool off = key.zero_means_off && json.is_number() && json.get<double>() == 0;
    auto problem = off ? std::nullopt : read_within(json, at, key.lowest, key.highest, value);
    if (problem && key.zero_means_off) problem->what = "expected 0 (off) or" + problem->what.substr(8);
    const double nanoseconds = key.unit == TimeUnit::seconds ? 1e9 : 1e6;
    if (!problem) key.at(config) = Duration(std::llround(value * nanoseconds));
    return problem;
  }
  FieldProblem operator()(const ChoiceKey& key) const {
    if (json.is_string() && key.choose(config, json.get_ref<const std::string&>())) return std::nullopt;
    return unexpected_value(at, key.names, json);
  }
  FieldProblem operator()(const TextKey& key) const {
    auto& text = key.at(config);
    auto problem = read(json, at, UnknownKeys::refused, text);
    if (!problem && text && text->empty()) return unexpected_value(at, "a text that is not empty, or null", json);
    return problem;
  }
  FieldProblem operator()(const TextListKey& key) const {
    auto& list = key.at(config);
    auto problem = read(json, at, UnknownKeys::refused, list);
    if (!problem && list && list->empty()) return unexpected_value(at, "at least one label, or null", json);
    return problem;
  }
};

JsonProblem unknown_key(std::string path) {
  std::vector<std::string_view> known;
  for (const ConfigRow& row : config_table()) known.push_back(row.path);
  const auto nearest = nearest_name(path, known);
  return JsonProblem{std::move(path), "no such key" + (nearest ? "; did you mean " + std::string(*nearest) + "?" : "")};
}

FieldProblem read_group(const Json& group, const Place& at, Config& config);

FieldProblem read_entry(const Json& value, const Place& at, Config& config) {
  const std::string path = at.text();
  // In a path a dot means a group, and an empty key leaves no trace: neither may pass for another key.
  if (at.key.empty() || at.key.find('.') != std::string_view::npos)
    return JsonProblem{path, "no such key; groups are nested objects"};
  const auto table = config_table();
  const auto row = std::find_if(table.begin(), table.end(), [&path](const ConfigRow& r) { return r.path == path; });
  if (row != table.end()) return std::visit(Setter{config, value, at}, row->kind);
  const bool is_group =
      std::any_of(table.begin(), table.end(), [&path](const ConfigRow& r) { return r.path.starts_with(path + "."); });
  return is_group ? read_group(value, at, config) : unknown_key(path);
}

FieldProblem read_group(const Json& group, const Place& at, Config& config) {
  if (!group.is_object()) return unexpected_value(at, "an object", group);
  for (const auto& [key, value] : group.get_ref<const Json::object_t&>()) {
    if (auto problem = read_entry(value, Place{&at, key}, config)) return problem;
  }
  return std::nullopt;
}

// What several keys together must obey.
FieldProblem problem_in(const Config& config) {
  if (config.sampling.longest_step < 2 * config.sampling.period)
    return JsonProblem{"sampling.longest_step_s",
                       "expected at least two sampling periods, so that samples have no gaps"};
  if (config.governor.policy.policy == Policy::tree && !config.tree_file)
    return JsonProblem{"tree_file", "expected the tree's file, which policy tree needs"};
  if (config.governor.adaptive.max_slowdown > 0 && config.governor.adaptive.max_slowdown < 1)
    return JsonProblem{"adaptive.max_slowdown", "expected 0, or a factor of at least 1"};
  if (config.tree_file && config.tree_file->front() != '/')
    return JsonProblem{"tree_file", "expected an absolute path, not " + clipped(*config.tree_file)};
  return std::nullopt;
}

}  // namespace

Result<Config> parse_config(std::string_view text) {
  auto root = read_clean_json(text, JsonRules{.comments = true});
  if (!root) return failure(std::move(root.error()));
  Config config;
  if (auto problem = read_group(*root, Place{}, config)) return failure(to_error(std::move(*problem)));
  if (auto problem = problem_in(config)) return failure(to_error(std::move(*problem)));
  return config;
}

}  // namespace sweetspot
