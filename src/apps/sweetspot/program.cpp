// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/program.hpp"

#include <cstdio>

#include "sweetspot/client/socket_path.hpp"

namespace sweetspot {

CLI::App& Program::add_command(const std::string& name, const std::string& purpose, const std::string& examples,
                               std::function<int()> run) {
  CLI::App& command = *app.add_subcommand(name, purpose);
  command.footer("Examples:\n" + examples);
  // So that --json and --socket may also stand behind the command.
  command.fallthrough();
  command.callback([this, run = std::move(run)] { chosen = run; });
  return command;
}

std::string Program::socket_path() const {
  return sweetspot::socket_path(socket);
}

void say(const std::string& text) {
  std::fprintf(stderr, "sweetspot: %s\n", text.c_str());
}

int fail_with(const Error& error) {
  say(error.message);
  return ExitCode::failure;
}

int usage_error(const std::string& text, const std::string& command) {
  say(text + "\ntry `sweetspot " + command + (command.empty() ? "" : " ") + "--help`");
  return ExitCode::usage;
}

int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return ExitCode::ok;
  std::perror("sweetspot: standard output");
  return ExitCode::failure;
}

}  // namespace sweetspot
