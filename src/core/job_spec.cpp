// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/core/job_spec.hpp"

#include <cmath>
#include <limits>

namespace sweetspot {
namespace {

struct IntegerRange {
  const char* field;
  std::optional<std::int64_t> JobSpec::*member;
  std::int64_t highest;
};
// Upper ends far above any real model or job: they only keep nonsense out of logs and files.
constexpr IntegerRange integer_ranges[] = {
    {"layers", &JobSpec::layers, 100'000},
    {"hidden_size", &JobSpec::hidden_size, 100'000'000},
    {"batch_size", &JobSpec::batch_size, 1'000'000'000},
    {"total_steps", &JobSpec::total_steps, SpecLimits::steps},
    {"pid", &JobSpec::pid, std::numeric_limits<std::int32_t>::max()},
};

struct RealRange {
  const char* field;
  std::optional<double> JobSpec::*member;
  double lowest;
  double highest;
  const char* expected;
};
constexpr RealRange real_ranges[] = {
    {"mean_sequence_length", &JobSpec::mean_sequence_length, 1, 1e7, "a number of tokens from 1 to 10000000"},
    {"max_slowdown", &JobSpec::max_slowdown, 1, 1000, "a factor from 1 to 1000 (1.2: at most 20 % slower)"},
    {"finish_within_s", &JobSpec::finish_within_s, 1, 1e9, "seconds from 1 to 1000000000"},
    {"lease_s", &JobSpec::lease_s, 1, 1e9, "seconds from 1 to 1000000000"},
};

std::optional<SpecProblem> problem_in_numbers(const JobSpec& spec) {
  for (const IntegerRange& range : integer_ranges) {
    const auto& value = spec.*range.member;
    if (value && (*value < 1 || *value > range.highest))
      return SpecProblem{
          range.field, "a whole number from 1 to " + std::to_string(range.highest) + ", not " + std::to_string(*value)};
  }
  for (const RealRange& range : real_ranges) {
    const auto& value = spec.*range.member;
    if (value && !(*value >= range.lowest && *value <= range.highest)) return SpecProblem{range.field, range.expected};
  }
  if (spec.frequency && (spec.frequency->value < 1'000'000 || spec.frequency->value > 100'000'000'000))
    return SpecProblem{"frequency_hz",
                       "a clock in Hz from 1000000 to 100000000000, not " + std::to_string(spec.frequency->value)};
  return std::nullopt;
}

/// Printable and of bounded length. Control characters would reach root's terminal through status and journal; U+0080
/// to U+009F are some too, which UTF-8 writes as C2 80 to C2 9F.
bool is_plain_text(std::string_view text) {
  if (text.size() > SpecLimits::name_bytes) return false;
  unsigned char before = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (before == 0xc2 && byte < 0xa0)) return false;
    before = byte;
  }
  return true;
}

std::optional<SpecProblem> problem_in_texts(const JobSpec& spec) {
  const std::string plain = "at most " + std::to_string(SpecLimits::name_bytes) + " bytes without control characters";
  if (spec.name && !is_plain_text(*spec.name)) return SpecProblem{"name", plain};
  if (spec.model_type && !is_plain_text(*spec.model_type)) return SpecProblem{"model_type", plain};
  if (spec.tags.size() > SpecLimits::tags)
    return SpecProblem{"tags", "at most " + std::to_string(SpecLimits::tags) + " tags"};
  for (const auto& [key, value] : spec.tags) {
    if (!is_plain_text(key) || !is_plain_text(value)) return SpecProblem{"tags", "keys and values of " + plain};
  }
  if (!spec.rails) return std::nullopt;
  if (spec.rails->empty() || spec.rails->size() > SpecLimits::rails)
    return SpecProblem{"rails", "1 to " + std::to_string(SpecLimits::rails) + " rail labels"};
  for (const std::string& rail : *spec.rails) {
    if (rail.empty() || !is_plain_text(rail)) return SpecProblem{"rails", "labels that are not empty, of " + plain};
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Policy policy) {
  switch (policy) {
    case Policy::mlg:
      return "mlg";
    case Policy::ffg:
      return "ffg";
    case Policy::fixed:
      return "fixed";
    case Policy::none:
      return "none";
    case Policy::tree:
      return "tree";
    case Policy::adaptive:
      return "adaptive";
  }
  return {};
}

std::optional<Policy> policy_named(std::string_view name) {
  for (const Policy policy : {Policy::mlg, Policy::ffg, Policy::fixed, Policy::none, Policy::tree, Policy::adaptive}) {
    if (name == name_of(policy)) return policy;
  }
  return std::nullopt;
}

std::string_view policy_names() {
  return "mlg, ffg, fixed, none, tree or adaptive";
}

std::string_view name_of(Objective objective) {
  switch (objective) {
    case Objective::gpu_and_cpu:
      return "gpu+cpu";
    case Objective::module:
      return "module";
  }
  return {};
}

std::optional<Objective> objective_named(std::string_view name) {
  for (const Objective objective : {Objective::gpu_and_cpu, Objective::module}) {
    if (name == name_of(objective)) return objective;
  }
  return std::nullopt;
}

std::optional<SpecProblem> problem_in(const JobSpec& spec) {
  if (auto problem = problem_in_numbers(spec)) return problem;
  if (auto problem = problem_in_texts(spec)) return problem;
  if (spec.objective && !objective_named(*spec.objective)) return SpecProblem{"objective", "gpu+cpu or module"};
  if (!spec.policy) return std::nullopt;  // a clock without a policy means policy fixed
  const std::optional<Policy> policy = policy_named(*spec.policy);
  if (!policy) return SpecProblem{"policy", std::string(policy_names())};
  if (policy == Policy::fixed && !spec.frequency)
    return SpecProblem{"frequency_hz", "the clock in Hz, which policy fixed needs"};
  if (policy != Policy::fixed && spec.frequency)
    return SpecProblem{"frequency_hz", "no clock with policy " + *spec.policy + "; only policy fixed takes one"};
  return std::nullopt;
}

}  // namespace sweetspot
