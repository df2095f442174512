// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Exit codes of every command but `run`, which has a shell's.
struct ExitCode {
  static constexpr int ok = 0;
  static constexpr int failure = 1;
  static constexpr int usage = 2;
  static constexpr int no_hardware = 3;
  static constexpr int run_failed = 125;  ///< `run` itself failed, before its command was started
  static constexpr int not_executable = 126;
  static constexpr int not_found = 127;
};

/// What the commands share: the parser they register with, the options before the command, and which one was chosen.
struct Program {
  CLI::App app{"Talks to sweetspotd, which runs a fine-tuning job at the GPU clock that costs least energy."};
  std::string socket;  ///< as given; empty: environment or default
  bool json = false;
  std::vector<std::string> wrapped;  ///< what follows "--": the command of `run` or `sweep`
  std::function<int()> chosen;       ///< set by the command that was named

  /// Registers a command; `examples` is the end of its help.
  CLI::App& add_command(const std::string& name, const std::string& purpose, const std::string& examples,
                        std::function<int()> run);
  [[nodiscard]] std::string socket_path() const;
};

/// "sweetspot: …" on standard error, one line.
void say(const std::string& text);
/// The same for an error; returns ExitCode::failure.
int fail_with(const Error& error);
/// A mistake in the command line; returns ExitCode::usage.
int usage_error(const std::string& text, const std::string& command);
/// Writes all of `text` to standard output; a failure there (a full disk) is an exit code of its own.
int print(const std::string& text);

}  // namespace sweetspot
