// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "sweetspot/store/history_reader.hpp"
#include "sweetspot/store/history_writer.hpp"

namespace sweetspot::tests {

/// Noon of 2026-11-30, UTC: the date in these tests.
inline constexpr std::chrono::system_clock::time_point noon{std::chrono::seconds(1'796'040'000)};

/// A job that ended `ago` before noon, and whose name is its place in the test.
inline PastJob job_named(const std::string& name, Duration ago = Duration{0}) {
  PastJob job;
  job.record.name = name;
  job.spec.name = name;
  job.record.decision = {.policy = "mlg", .frequency = megahertz(612), .reason = "as the test wants it"};
  job.record.duration = seconds(60);
  job.record.started = noon - std::chrono::seconds(60) - std::chrono::duration_cast<std::chrono::seconds>(ago);
  job.record.rails = {{"VDD_GPU_SOC", Joules{600}, Watts{10}}, {"VDD_CPU_CV", {}, {}}};
  job.record.rails_counted = {"VDD_GPU_SOC"};
  job.record.rails_left_out = {"VDD_CPU_CV"};
  job.record.energy = Joules{600};
  return job;
}

/// Adds one after the other to a history that is opened for it.
inline void keep(const std::string& folder, const std::vector<PastJob>& jobs, HistoryBounds bounds = {}) {
  auto writer = HistoryWriter::open(folder, bounds);
  ASSERT_TRUE(writer) << writer.error().message;
  for (const PastJob& job : jobs) {
    const auto added = writer->add(std::span(&job, 1), noon);
    ASSERT_TRUE(added) << added.error().message;
  }
}

/// All that a filter chooses. A history that cannot be read fails the test.
inline std::vector<PastJob> jobs_in(const std::string& folder, const HistoryFilter& filter = {}) {
  std::vector<PastJob> jobs;
  const auto reader = HistoryReader::open(folder);
  EXPECT_TRUE(reader) << reader.error().message;
  if (!reader) return jobs;
  const auto visited = reader->records(filter, [&](const PastJob& job) {
    jobs.push_back(job);
    return true;
  });
  EXPECT_TRUE(visited) << visited.error().message;
  return jobs;
}

inline std::vector<std::string> names_in(const std::string& folder, const HistoryFilter& filter = {}) {
  std::vector<std::string> names;
  for (const PastJob& job : jobs_in(folder, filter)) names.push_back(job.record.name.value_or("(none)"));
  return names;
}

}  // namespace sweetspot::tests
