// SPDX-License-Identifier: Apache-2.0
#include <time.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

#include "bench/bare_board.hpp"
#include "bench/exchange.hpp"
#include "bench/measurements.hpp"
#include "bench/spread.hpp"

namespace sweetspot::bench {
namespace {

constexpr auto period = std::chrono::milliseconds(5);
constexpr auto turn = std::chrono::milliseconds(250);  // short, so that both meet the same load of the machine

struct Cost {
  double cpu_us = 0;
  double samples = 0;
};

std::optional<std::string> find_task(pid_t process, const std::string& thread) {
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& entry : std::filesystem::directory_iterator(tasks)) {
    std::ifstream comm(entry.path() / "comm");
    std::string name;
    if (std::getline(comm, name) && name == thread) return entry.path();
  }
  return std::nullopt;
}

std::string task_folder(pid_t process, const std::string& thread) {
  std::optional<std::string> found;
  // A thread names itself some time after its start.
  if (!tests::eventually([&] { return (found = find_task(process, thread)).has_value(); }))
    throw std::runtime_error("no thread " + thread);
  return *found;
}

/// Processor time of a thread so far, to the nanosecond; /proc/…/stat counts ticks of 10 ms.
double cpu_us_of(const std::string& task) {
  double nanoseconds = 0;
  if (!(std::ifstream(task + "/schedstat") >> nanoseconds)) throw std::runtime_error("no schedstat of " + task);
  return nanoseconds / 1e3;
}

double own_cpu_us() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// A turn of the daemon: one job without a pin, so that nothing but the sampler reads the board. It ends with its
/// connection.
Cost sample_with_daemon(const tests::RunningDaemon& daemon, const std::string& task) {
  Exchange asking(daemon.socket());
  const auto samples = [&] { return daemon.status().at("sampler").at("samples").get<double>(); };
  asking.ask(call_message("StartJob", R"({"spec":{"policy":"none"}})"));
  const Cost before{cpu_us_of(task), samples()};
  std::this_thread::sleep_for(turn);
  const Cost after{cpu_us_of(task), samples()};
  return {after.cpu_us - before.cpu_us, after.samples - before.samples};
}

Cost sample_bare(const BareBoard& board) {
  Cost cost;
  const double before = own_cpu_us();
  auto next = Clock::now();
  for (const auto end = next + turn; next < end; next += period) {
    std::this_thread::sleep_until(next);
    board.read_rails();
    cost.samples += 1;
  }
  cost.cpu_us = own_cpu_us() - before;
  return cost;
}

}  // namespace

std::vector<Row> measure_sampling(const std::string& sysfs_root, const Effort& effort) {
  const BareBoard board(sysfs_root);
  const tests::RunningDaemon daemon(sysfs_root, with_journal(R"({"sampling":{"period_ms":5}})"));
  const std::string task = task_folder(daemon.pid(), "sampler");
  Cost ours;
  Cost bare;
  for (int i = 0; i < effort.sampling_turns; ++i) {
    for (auto& [sum, cost] :
         {std::pair{&ours, sample_with_daemon(daemon, task)}, std::pair{&bare, sample_bare(board)}}) {
      sum->cpu_us += cost.cpu_us;
      sum->samples += cost.samples;
    }
  }
  if (ours.samples == 0) throw std::runtime_error("the daemon took no samples");
  return {{"sampler, processor time per sample / bare preads", "us", ours.cpu_us / ours.samples,
           bare.cpu_us / bare.samples, 1.3}};
}

}  // namespace sweetspot::bench
