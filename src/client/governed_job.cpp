// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/governed_job.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "sweetspot/core/job.hpp"

namespace sweetspot {

namespace {

constexpr std::uint64_t reports_per_job = 100;
constexpr Duration longest_wait = seconds(2);
constexpr Duration poll_period = std::chrono::milliseconds(10);

/// The job of the `sweetspot run` or `sweep` that started this process, as a training script's callback would find it.
std::optional<JobId> job_around_us() {
  const char* text = std::getenv("SWEETSPOT_JOB");
  if (text == nullptr) return std::nullopt;
  const std::string_view number(text);
  JobId id = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), id);
  if (problem != std::errc{} || end != number.data() + number.size()) return std::nullopt;
  return id;
}

}  // namespace

GovernedJob::GovernedJob(const std::string& socket_path, const JobSpec& spec, Warn warn)
    : warn_(std::move(warn)),
      steps_between_reports_(
          std::max<std::uint64_t>(1, static_cast<std::uint64_t>(spec.total_steps.value_or(0)) / reports_per_job)) {
  if (const auto started = start(socket_path, spec); !started) warn_(started.error().message + "; training without it");
}

Result<void> GovernedJob::start(const std::string& socket_path, const JobSpec& spec) {
  auto client = GovernorClient::connect(socket_path);
  if (!client) return failure(std::move(client.error()));
  if (const auto around = job_around_us()) {
    client_ = std::move(*client);
    id_ = *around;
    joined_ = true;
    return {};
  }
  auto started = client->start_job(spec);
  if (!started) return failure(std::move(started.error()).within("no job"));
  client_ = std::move(*client);
  id_ = started->reply.job_id;
  wait_for_clock();
  return {};
}

// Real training loads its model first. Here the first moments at a clock not yet pinned would count time-scale times.
void GovernedJob::wait_for_clock() {
  const auto is_active = [this](const StatusReport& status) {
    return std::any_of(status.jobs.begin(), status.jobs.end(),
                       [this](const auto& job) { return job.job_id == id_ && job.state == name_of(JobState::active); });
  };
  const auto deadline = std::chrono::steady_clock::now() + longest_wait;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto status = client_->status();
    if (!status) return lose(status.error().message);
    if (is_active(*status)) return;
    std::this_thread::sleep_for(poll_period);
  }
}

void GovernedJob::progress(std::uint64_t steps) {
  done_ = steps;
  if (client_ && done_ >= reported_ + steps_between_reports_) report();
}

void GovernedJob::report() {
  reported_ = done_;
  const auto told = client_->report_progress(id_, static_cast<std::int64_t>(done_));
  if (!told) lose(told.error().message);
}

std::optional<EnergyRecord> GovernedJob::end() {
  if (client_ && done_ > reported_) report();
  if (!client_ || joined_) return std::nullopt;
  auto record = client_->end_job(id_);
  if (record) {
    client_.reset();
    return std::move(*record);
  }
  lose(record.error().message);
  return std::nullopt;
}

void GovernedJob::lose(const std::string& why) {
  warn_("job " + std::to_string(id_) + " is lost: " + why + "; training goes on");
  client_.reset();
}

}  // namespace sweetspot
