// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"
#include "apps/sweetspot/spec_options.hpp"
#include "sweetspot/core/policy.hpp"

namespace sweetspot {

/// `sweetspot explain [spec]`: which clock a job would get, and why. No job is started.
class ExplainCommand {
 public:
  explicit ExplainCommand(Program& program);

 private:
  [[nodiscard]] int run();
  [[nodiscard]] int ask_daemon(const JobSpec& spec);
  [[nodiscard]] int answer_alone(const JobSpec& spec);
  [[nodiscard]] int show(const Decision& decision, const std::vector<std::string>& notes) const;

  Program& program_;
  SpecOptions options_;
  std::string board_;
};

/// A decision in words, with notes below it.
[[nodiscard]] std::string decision_text(const Decision& decision, const std::vector<std::string>& notes);

}  // namespace sweetspot
