// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// How a job's clock is chosen. All but `adaptive` decide before the job runs; see AdaptiveRun.
enum class Policy { mlg, ffg, fixed, none, tree, adaptive };
[[nodiscard]] std::string_view name_of(Policy policy);
[[nodiscard]] std::optional<Policy> policy_named(std::string_view name);
/// "mlg, ffg, fixed, none, tree or adaptive", for error messages.
[[nodiscard]] std::string_view policy_names();

/// Which rails a job's energy is counted on when it names none: the CPU and GPU rails as in the paper, or the whole
/// module.
enum class Objective { gpu_and_cpu, module };
[[nodiscard]] std::string_view name_of(Objective objective);
[[nodiscard]] std::optional<Objective> objective_named(std::string_view name);

/// What a training script says about its job. Everything is optional: a policy that lacks a feature falls back and says
/// so.
struct JobSpec {
  std::optional<std::string> name;
  std::optional<std::string> model_type;  ///< as in a Hugging Face config.json, for example "bert"
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> hidden_size;
  std::optional<double> mean_sequence_length;  ///< mean tokenised, unpadded length, special tokens included
  std::optional<std::int64_t> batch_size;
  std::optional<std::int64_t> total_steps;
  std::optional<std::string> policy;
  std::optional<Hertz> frequency;  ///< only with policy "fixed" (which it implies when no policy is named)
  std::optional<std::string> objective;
  std::optional<std::vector<std::string>> rails;  ///< labels to count instead of the objective's
  std::optional<double> max_slowdown;             ///< times the time at the highest clock; only policy "adaptive" can
  std::optional<double> finish_within_s;          ///< from the job's start; likewise, and it needs total_steps
  std::optional<bool> energy_delay;               ///< energy times time is to be least, not energy; likewise
  std::optional<std::int64_t> pid;                ///< the process the job belongs to, instead of the connection
  std::optional<double> lease_s;                  ///< the job ends this long after its start or its last progress
  std::map<std::string, std::string> tags;

  friend bool operator==(const JobSpec&, const JobSpec&) = default;
};

/// Limits on what a client can make the daemon keep. Ours: far above any honest job.
struct SpecLimits {
  static constexpr std::int64_t steps = 1'000'000'000'000;  ///< of a whole job, and in a report
  static constexpr std::size_t name_bytes = 256;            ///< of each text; control characters are refused in all
  static constexpr std::size_t tags = 32;
  static constexpr std::size_t rails = 16;
};

/// Why a spec was refused: the field, and what was expected there (varlink error InvalidSpec).
struct SpecProblem {
  std::string field;
  std::string expected;
  friend bool operator==(const SpecProblem&, const SpecProblem&) = default;
};

/// Checks every field's range and the combinations. Empty when the spec is good.
[[nodiscard]] std::optional<SpecProblem> problem_in(const JobSpec& spec);

}  // namespace sweetspot
