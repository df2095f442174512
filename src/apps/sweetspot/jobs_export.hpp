// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/store/past_job.hpp"

namespace sweetspot {

/// Turns past jobs into text one after the other: head, a row each, tail.
class JobsWriter {
 public:
  virtual ~JobsWriter() = default;
  [[nodiscard]] virtual std::string head() const = 0;
  [[nodiscard]] virtual std::string row(const PastJob& job) = 0;
  [[nodiscard]] virtual std::string tail() const = 0;
};

/// CSV (RFC 4180). The columns of a curve file (docs/evaluate.md) have their names there, so that `characterise`,
/// `evaluate` and `fit` read it; what was not measured is empty.
class CsvJobs : public JobsWriter {
 public:
  [[nodiscard]] std::string head() const override;
  [[nodiscard]] std::string row(const PastJob& job) override;
  [[nodiscard]] std::string tail() const override { return {}; }
};

/// One document, a job per line: {"jobs": [{"number", "record", "spec"}, …]}.
class JsonJobs : public JobsWriter {
 public:
  [[nodiscard]] std::string head() const override { return "{\"jobs\":["; }
  [[nodiscard]] std::string row(const PastJob& job) override;
  [[nodiscard]] std::string tail() const override { return "\n]}\n"; }

 private:
  bool first_ = true;
};

/// Whether a run tells what its clock costs: measured enough, alone on the board, at its clock (95 % of the time), and
/// not broken off.
[[nodiscard]] bool tells_of_its_clock(const PastJob& job);

/// Writes to standard output without flushing it. ExitCode::ok, or failure with a sentence.
[[nodiscard]] int write_out(const std::string& text);

}  // namespace sweetspot
