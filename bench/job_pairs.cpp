// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>

#include "bench/bare_board.hpp"
#include "bench/exchange.hpp"
#include "bench/measurements.hpp"
#include "bench/spread.hpp"

namespace sweetspot::bench {
namespace {

constexpr int warm_up = 10;
constexpr const char* spec = R"({"spec":{"name":"bench","layers":24,"mean_sequence_length":14.0}})";
constexpr const char* clock_hz = "714000000";  // what the tree answers to that

/// Waits for the end of a pin without taking part in it: the daemon removes its saved clock last.
class EndOfPin {
 public:
  explicit EndOfPin(const std::string& runtime_dir) : inotify_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (::inotify_add_watch(inotify_.value(), runtime_dir.c_str(), IN_DELETE) < 0)
      throw std::system_error(errno, std::generic_category(), "watch " + runtime_dir);
  }
  void wait() const {
    constexpr int patience_ms = 10'000;
    pollfd waiting{inotify_.value(), POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) <= 0) throw std::runtime_error("the clock was not given back");
    forget();
  }
  void forget() const {
    alignas(inotify_event) char events[4096];
    while (::read(inotify_.value(), events, sizeof events) > 0) {
    }
  }

 private:
  UniqueFd inotify_;
};

std::string job_in(std::string_view reply) {
  constexpr std::string_view key = R"("job_id":)";
  const std::size_t at = reply.find(key);
  if (at == std::string_view::npos) throw std::runtime_error("StartJob: " + std::string(reply));
  std::uint64_t job = 0;
  const char* const digits = reply.data() + at + key.size();
  std::from_chars(digits, reply.data() + reply.size(), job);
  return std::to_string(job);
}

/// False when StartJob answered before the pin was done, which it does after 40 ms: then the job ends without one.
bool run_job(Exchange& daemon, const std::string& start) {
  const std::string_view started = daemon.ask(start);
  const bool pinned = started.find(R"("applied_hz":)" + std::string(clock_hz)) != std::string_view::npos;
  const std::string end = call_message("EndJob", R"({"job_id":)" + job_in(started) + "}");
  const std::string_view ended = daemon.ask(end);
  if (ended.find("energy_j") == std::string_view::npos) throw std::runtime_error("EndJob: " + std::string(ended));
  return pinned;
}

void wait_until_released(const testing::RunningDaemon& daemon) {
  if (!testing::eventually([&] { return daemon.status().at("clock").at("condition") == "released"; }))
    throw std::runtime_error("the clock was not given back");
}

void run_bare(const BareBoard& board, Exchange& echo, const std::string& start, const std::string& end) {
  echo.ask(start);
  board.pin(clock_hz);
  board.read_rails();
  echo.ask(end);
  board.read_rails();
  board.release();
}

}  // namespace

std::vector<Row> measure_job_pairs(const std::string& sysfs_root, const Effort& effort) {
  const testing::TemporaryFolder folder;
  const BareBoard board(sysfs_root);
  const testing::RunningDaemon daemon(sysfs_root, as_under_systemd());
  const EchoServer server(folder.path() + "/echo");
  Exchange asking(daemon.socket());
  Exchange echoing(folder.path() + "/echo");
  const std::string start = call_message("StartJob", spec);
  const std::string end = call_message("EndJob", R"({"job_id":1})");
  const EndOfPin end_of_pin(daemon.runtime_dir());
  Spread jobs;
  Spread bare;
  int late = 0;
  for (int i = -warm_up; i < effort.job_pairs; ++i) {
    // From the call that starts the job to the clock given back: EndJob answers before that.
    const auto began = Clock::now();
    if (run_job(asking, start)) {
      end_of_pin.wait();
      if (i >= 0) jobs.add(Clock::now() - began);
    } else {
      wait_until_released(daemon);
      end_of_pin.forget();
      if (i >= 0) ++late;
    }
    Spread ignored;
    time_into(i >= 0 ? bare : ignored, [&] { run_bare(board, echoing, start, end); });
  }
  return {
      {"StartJob + EndJob p50 / two echoes + bare I/O", "us", jobs.median(), bare.median(), 2.0},
      {"StartJob + EndJob p99 / two echoes + bare I/O", "us", jobs.quantile(0.99), bare.quantile(0.99), {}},
      {"of " + std::to_string(effort.job_pairs) + " jobs, answered before the pin was done", "", 1.0 * late, {}, {}}};
}

}  // namespace sweetspot::bench
