// SPDX-License-Identifier: Apache-2.0
#include "service/history_keeper.hpp"

#include <malloc.h>
#include <pthread.h>

#include <system_error>
#include <utility>

#include "service/steady_now.hpp"
#include "sweetspot/wire/record_json.hpp"
#include "sweetspot/wire/spec_json.hpp"

namespace sweetspot {
namespace {

/// For a disk; what takes longer is a disk that hangs.
constexpr Duration write_patience = seconds(15);
/// As many as share one sync of the disk.
constexpr std::size_t most_in_batch = 1024;
/// Jobs that end one after the other share a process.
constexpr auto linger = std::chrono::seconds(1);

std::vector<std::string> command_of(std::string program, const HistorySettings& settings) {
  return {std::move(program), settings.state_dir, std::to_string(settings.keep_days),
          std::to_string(settings.size_mib)};
}

}  // namespace

Result<std::unique_ptr<HistoryKeeper>> HistoryKeeper::create(HistorySettings settings, const Wakeup& bell) {
  auto hurry = Wakeup::create();
  if (!hurry) return failure(std::move(hurry.error()));
  return std::unique_ptr<HistoryKeeper>(new HistoryKeeper(std::move(settings), bell, *std::move(hurry)));
}

HistoryKeeper::HistoryKeeper(HistorySettings settings, const Wakeup& bell, Wakeup hurry)
    : bell_(bell), hurry_(std::move(hurry)), settings_(std::move(settings)) {}

HistoryKeeper::~HistoryKeeper() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  hurry_.ring();
  queued_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void HistoryKeeper::use(HistorySettings settings) {
  const std::lock_guard lock(mutex_);
  settings_ = std::move(settings);
}

void HistoryKeeper::keep(const JobEnded& job) {
  const std::lock_guard lock(mutex_);
  if (!settings_.enabled) return;
  if (queue_.size() >= most_queued) {
    ++dropped_;
    news_.trouble = "the disk is too slow: " + std::to_string(dropped_) + " finished jobs are in the journal only";
    return bell_.ring();
  }
  queue_.push_back(record_to_json(job.record) + "\n" + spec_to_json(job.spec) + "\n");
  news_.idle = false;
  queued_.notify_one();
  if (working_) return;
  if (thread_.joinable()) thread_.join();  // it has let go of the mutex for the last time
  try {
    thread_ = std::thread([this] { work(); });
    working_ = true;
  } catch (const std::system_error& error) {
    queue_.clear();
    news_ = {.trouble = std::string("no thread for the history: ") + error.what()};
    bell_.ring();
  }
}

HistoryKeeper::News HistoryKeeper::news() {
  const std::lock_guard lock(mutex_);
  // A thread that has ended keeps its stack until then.
  if (!working_ && thread_.joinable()) thread_.join();
  return news_;
}

void HistoryKeeper::work() {
  ::pthread_setname_np(::pthread_self(), "history");
  std::optional<HistoryProcess> process;
  while (true) {
    const std::deque<std::string> batch = next_batch();
    if (batch.empty()) break;
    const auto written = write(batch, process);
    if (process && !process->of_use()) process.reset();
    const std::lock_guard lock(mutex_);
    news_.trouble = written ? std::nullopt : std::optional(written.error().message);
    if (written) dropped_ = 0;
    news_.idle = queue_.empty();
    bell_.ring();
  }
  process.reset();
  // What a burst of jobs took goes back to the system, or an idle daemon would hold it for ever.
  ::malloc_trim(0);
  const std::lock_guard lock(mutex_);
  working_ = false;
  bell_.ring();
}

/// Empty: nothing more has come, or the daemon stops.
std::deque<std::string> HistoryKeeper::next_batch() {
  std::unique_lock lock(mutex_);
  queued_.wait_for(lock, linger, [this] { return stop_ || !queue_.empty(); });
  std::deque<std::string> batch;
  while (!stop_ && !queue_.empty() && batch.size() < most_in_batch) {
    batch.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return batch;
}

Result<void> HistoryKeeper::write(const std::deque<std::string>& batch, std::optional<HistoryProcess>& process) {
  if (!process) {
    const auto program = history_program();
    if (!program) return failure(program.error());
    std::vector<std::string> command;
    {
      const std::lock_guard lock(mutex_);
      command = command_of(*program, settings_);
      news_.starting_since = steady_now();
    }
    auto started = HistoryProcess::start(command, hurry_);
    {
      const std::lock_guard lock(mutex_);
      news_.starting_since.reset();
    }
    if (!started) return failure(std::move(started.error()));
    process.emplace(*std::move(started));
  }
  std::string text;
  for (const std::string& job : batch) text += job;
  return process->keep(text + "\n", write_patience);
}

}  // namespace sweetspot
