// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include "tests/system/scene.hpp"

namespace sweetspot::tests {

inline constexpr Clock::duration long_enough = std::chrono::seconds(90);  // a quarter of it on a quiet machine

/// Published joules of a whole job at each clock, and with the default governor; the board plays them.
struct PublishedCurve {
  std::array<double, 11> pinned;
  double unpinned;
  double steps;
  [[nodiscard]] double least() const { return std::min(unpinned, *std::min_element(pinned.begin(), pinned.end())); }
};
inline constexpr std::array<std::uint64_t, 11> published_mhz{306, 408, 510, 612, 714, 816, 918, 1020, 1122, 1224, 1300};
inline constexpr PublishedCurve pythia{{2108, 2027, 2032, 2070, 2099, 2254, 2362, 2531, 2663, 2704, 2864}, 2091, 818};
inline constexpr PublishedCurve deberta{
    {55292, 47512, 43026, 41044, 40927, 40982, 42053, 44379, 46298, 49987, 52476}, 52317, 4209};

/// How much more than the least it costs at that clock (0: not pinned), as a share; 1 for a clock that nobody measured.
inline double excess(const PublishedCurve& curve, std::uint64_t clock_hz) {
  if (clock_hz == 0) return curve.unpinned / curve.least() - 1;
  const auto found = std::find(published_mhz.begin(), published_mhz.end(), clock_hz / 1'000'000);
  if (found == published_mhz.end()) return 1;
  return curve.pinned[static_cast<std::size_t>(found - published_mhz.begin())] / curve.least() - 1;
}

/// A training process: the board plays its steps, and it reports them.
class Training {
 public:
  Training(const SimulatedBoard& board, const RunningDaemon& daemon, const json& spec)
      : control_(::open((board.root() + "/control").c_str(), O_RDWR | O_CLOEXEC)), client_(daemon.connect()) {
    job_ = client_.ask("StartJob", {{"spec", spec}}).at("job_id");
  }
  ~Training() { ::close(control_); }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// From now on its steps are of this workload.
  void work_as(const std::string& workload) {
    if (working_) say("load end");
    before_ = reported_;
    say("load start " + workload + " steps=1000000");
    working_ = true;
  }
  /// Trains until the condition holds; false when it never did.
  template <class Condition>
  [[nodiscard]] bool train_until(Condition&& holds, Clock::duration limit = long_enough) {
    return eventually(
        [&] {
          report();
          return holds();
        },
        limit);
  }
  void train_for(Clock::duration time) {
    const auto end = Clock::now() + time;
    EXPECT_TRUE(train_until([&] { return Clock::now() >= end; }, 2 * time));
  }
  [[nodiscard]] json shown() {
    const json status = client_.ask("GetStatus");
    for (const json& job : status.at("jobs")) {
      if (job.at("job_id") == job_) return job;
    }
    return {};
  }
  /// 0: not pinned.
  [[nodiscard]] std::uint64_t clock() {
    const json at = shown().at("decision").at("frequency_hz");
    return at.is_null() ? 0 : at.get<std::uint64_t>();
  }
  [[nodiscard]] std::int64_t steps() const { return reported_; }
  [[nodiscard]] std::string reason() { return shown().at("decision").at("reason"); }
  [[nodiscard]] json end() { return client_.ask("EndJob", {{"job_id", job_}}).at("record"); }

 private:
  void say(const std::string& line) const {
    if (::write(control_, line.data(), line.size()) < 0) throw std::system_error(errno, std::generic_category(), line);
  }
  void report() {
    std::array<char, 128> text{};
    const ssize_t size = ::pread(control_, text.data(), text.size(), 0);
    double steps = 0;
    if (size <= 0 || std::from_chars(text.data(), text.data() + size, steps).ec != std::errc{}) return;
    const std::int64_t done = before_ + static_cast<std::int64_t>(steps);
    if (done <= reported_) return;
    reported_ = done;
    client_.ask("ReportProgress", {{"job_id", job_}, {"steps", done}});
  }

  int control_;
  VarlinkTestClient client_;
  json job_;
  bool working_ = false;
  std::int64_t before_ = 0;  ///< steps of earlier work
  std::int64_t reported_ = 0;
};

inline json adaptive_job(std::int64_t steps) {
  return {{"policy", "adaptive"}, {"total_steps", steps}};
}

}  // namespace sweetspot::tests
