// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/sweetspot/program.hpp"

namespace sweetspot {

/// Parses the arguments (without the program's name), runs the command they name and returns the exit code. Everything
/// behind the first "--" is the command of `run` or `sweep` and is not looked at.
[[nodiscard]] int run_command_line(Program& program, const std::vector<std::string>& arguments);

}  // namespace sweetspot
