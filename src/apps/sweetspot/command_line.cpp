// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/command_line.hpp"

#include <algorithm>

namespace sweetspot {
namespace {

void add_common_options(Program& program) {
  program.app.name("sweetspot");
  program.app.add_option("--socket", program.socket, "The service's socket; else $SWEETSPOT_SOCKET, else the default")
      ->type_name("PATH");
  program.app.add_flag("--json", program.json, "Print one JSON document instead of text for people");
  program.app.set_version_flag("--version", std::string("sweetspot " SWEETSPOT_VERSION));
  program.app.require_subcommand(1);
  program.app.footer(
      "`sweetspot COMMAND --help` has each command's options and examples.\n"
      "Exit status: 0 done, 1 failed, 2 usage, 3 hardware not found; `run` exits as its command does.");
}

std::string chosen_name(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? std::string() : chosen.front()->get_name();
}

bool takes_command(const std::string& name) {
  return name == "run" || name == "sweep";
}

// CLI11's words, but where they leave people without the thing to do.
std::string mistake(const CLI::ParseError& problem, const Program& program, const std::vector<std::string>& arguments) {
  const std::string name = chosen_name(program.app);
  if (name.empty() && !arguments.empty() && arguments.front().rfind('-', 0) != 0)
    return "there is no command \"" + arguments.front() + "\"";
  if (name.empty()) return std::string(problem.what()) + "; which command?";
  const bool words_left = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
  if (takes_command(name) && program.wrapped.empty() && words_left)
    return std::string(problem.what()) + "; the command to run follows \"--\"";
  return problem.what();
}

}  // namespace

int run_command_line(Program& program, const std::vector<std::string>& arguments) {
  add_common_options(program);
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> ours(arguments.begin(), separator);
  if (separator != arguments.end()) program.wrapped.assign(separator + 1, arguments.end());
  // CLI11 takes them from the back.
  std::reverse(ours.begin(), ours.end());
  try {
    program.app.parse(ours);
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return program.app.exit(problem);
    return usage_error(mistake(problem, program, arguments), chosen_name(program.app));
  }
  if (!program.wrapped.empty() && !takes_command(chosen_name(program.app)))
    return usage_error("\"--\" and a command behind it belong to `run` and `sweep`", chosen_name(program.app));
  return program.chosen();
}

}  // namespace sweetspot
