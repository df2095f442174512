// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/job_spec.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// The options that describe a job, as typed.
struct SpecOptions {
  std::optional<std::string> spec_file;
  std::optional<std::string> model;
  std::optional<std::string> name;
  std::optional<std::int64_t> layers;
  std::optional<std::int64_t> hidden_size;
  std::optional<double> mean_sequence_length;
  std::optional<std::int64_t> batch_size;
  std::optional<std::int64_t> steps;
  std::optional<std::string> policy;
  std::optional<std::string> frequency;
  std::optional<std::string> objective;
  std::vector<std::string> rails;
  std::optional<double> max_slowdown;
  std::optional<std::string> finish_within;
  bool energy_delay = false;
  std::optional<std::string> lease;
};

/// Adds them to a command. `options` outlives the parsing.
void add_spec_options(CLI::App& command, SpecOptions& options);

/// The job they describe: the spec file, over it what the model's config.json says, over that the single options. Reads
/// the two files; checks every range. Errors name the file or the option; their code is EINVAL where the command line
/// is at fault and not a file.
[[nodiscard]] Result<JobSpec> job_spec(const SpecOptions& options);

/// Says why there is no job to ask for; returns ExitCode::usage for a mistake in the options of `command`, else
/// ExitCode::failure.
int fail_with_spec(const Error& error, const std::string& command);

}  // namespace sweetspot
