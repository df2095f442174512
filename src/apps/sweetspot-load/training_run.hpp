// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "apps/sweetspot-load/load_options.hpp"
#include "sweetspot/client/governed_job.hpp"
#include "sweetspot/load/training_step.hpp"

namespace sweetspot {

/// The arithmetic that was asked for. An error says what is missing.
[[nodiscard]] Result<std::unique_ptr<Arithmetic<float>>> arithmetic_for(const LoadOptions& options);

/// The job around the training; empty where none was wanted.
[[nodiscard]] std::optional<GovernedJob> job_for(const LoadOptions& options);

/// One step done and waited for.
[[nodiscard]] Result<void> run_step(TrainingStep<float>& step, Arithmetic<float>& arithmetic);

/// Trains the steps asked for as a job, and prints how fast that went. Exit status: 0; 1 where a step fails; 3 where
/// there is no GPU to train on; 128+n after signal n, which ends it between two steps.
[[nodiscard]] int train(const LoadOptions& options);

}  // namespace sweetspot
