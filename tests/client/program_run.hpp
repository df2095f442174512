// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot::tests {

/// How a program ended, and all that it wrote.
struct Outcome {
  int status;
  std::string out;
  std::string err;
};

/// A program under test with its two outputs in pipes. Killed, if it still runs, when this goes.
class ProgramRun {
 public:
  explicit ProgramRun(std::vector<std::string> command);
  ~ProgramRun();
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  /// Reads standard output until it holds `text`; false when it ends or 30 s pass first.
  [[nodiscard]] bool wait_for_output(const std::string& text) { return wait_for(text, out_); }
  /// The same for standard error.
  [[nodiscard]] bool wait_for_error(const std::string& text) { return wait_for(text, err_); }
  void signal(int number) const;
  /// Reads both outputs to their end and gives the exit status: 128+n for signal n, -1 after 60 s.
  [[nodiscard]] int finish();
  [[nodiscard]] const std::string& out() const { return out_; }
  [[nodiscard]] const std::string& err() const { return err_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  bool wait_for(const std::string& text, const std::string& stream);
  /// Reads what is there; false at the end of both.
  bool read_some(int timeout_ms);

  pid_t pid_ = -1;
  UniqueFd out_fd_;
  UniqueFd err_fd_;
  std::string out_;
  std::string err_;
};

}  // namespace sweetspot::tests
