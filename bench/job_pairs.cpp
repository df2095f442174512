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

constexpr int warm_up_pairs = 10;
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
  const tests::TemporaryFolder folder;
  const BareBoard board(sysfs_root);
  const BareBoard board_kept_open(sysfs_root, BareBoard::LimitFiles::kept_open);
  const tests::RunningDaemon daemon(sysfs_root, with_journal());
  const EchoServer server(folder.path() + "/echo");
  const EndOfPin end_of_pin(daemon.runtime_dir());
  Exchange asking(daemon.socket());
  Exchange echoing(folder.path() + "/echo");
  const std::string start = call_message("StartJob", spec);
  const std::string end = call_message("EndJob", R"({"job_id":1})");
  Spread calls;
  Spread until_clock_is_back;
  Spread bare;
  Spread least;
  int late = 0;
  for (int i = -warm_up_pairs; i < effort.job_pairs; ++i) {
    wait_until_idle(daemon);
    end_of_pin.forget();
    const auto began = Clock::now();
    const bool pinned = run_job(asking, start);
    const auto answered = Clock::now();
    if (pinned) end_of_pin.wait();
    const auto given_back = Clock::now();
    wait_until_idle(daemon);
    const auto bare_began = Clock::now();
    run_bare(board, echoing, start, end);
    const auto bare_ended = Clock::now();
    run_bare(board_kept_open, echoing, start, end);
    const auto least_ended = Clock::now();
    if (i < 0) continue;
    bare.add(bare_ended - bare_began);
    least.add(least_ended - bare_ended);
    calls.add(answered - began);
    if (pinned) until_clock_is_back.add(given_back - began);
    if (!pinned) ++late;
  }
  const std::string beside = " / two echoes + bare I/O";
  return {{"StartJob + EndJob p50" + beside, "us", calls.median(), bare.median(), 2.0},
          {"  to the same with the limits' files kept open, p50", "us", calls.median(), least.median(), {}},
          {"StartJob + EndJob p99" + beside, "us", calls.quantile(0.99), bare.quantile(0.99), {}},
          {"  until the clock is given back, p50" + beside, "us", until_clock_is_back.median(), bare.median(), {}},
          {"  of these jobs, answered 'pending' after 40 ms", "jobs", 1.0 * late, {}, {}}};
}

}  // namespace sweetspot::bench
