// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "apps/sweetspot/doctor_clock_test.hpp"
#include "apps/sweetspot/doctor_test_clock.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/gpu_load.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr double idle_percent = 5;

bool is_trouble(const std::string& condition) {
  constexpr std::array<std::string_view, 5> bad{"failing", "gave_up", "blocked", "not_obeyed", "lost"};
  return std::find(bad.begin(), bad.end(), condition) != bad.end();
}

Finding word_of_daemon(const StatusReport& status) {
  const std::string& condition = status.clock.condition;
  std::string text = "a job runs; the service holds the clock and says: " + condition;
  if (status.clock.applied) text += " at " + to_text(*status.clock.applied);
  if (!status.clock.detail.empty()) text += ", " + status.clock.detail;
  if (is_trouble(condition)) return {Verdict::fail, write_test, text, "see the lines on the service and on rivals"};
  return skipped_write_test(text);
}

bool are_kernel_files(const std::string& path) {
  constexpr auto sysfs = 0x62656572L;
  constexpr auto fuse = 0x65735546L;  // a simulated board
  struct statfs about {};
  return ::statfs(path.c_str(), &about) == 0 && (about.f_type == sysfs || about.f_type == fuse);
}

std::string limits_now(const Attributes& board, const GpuNode& gpu) {
  const auto low = read_clock(board, gpu.devfreq_dir + "/min_freq");
  const auto high = read_clock(board, gpu.devfreq_dir + "/max_freq");
  if (!low) return low.error().message;
  if (!high) return high.error().message;
  return to_text(*low) + " to " + to_text(*high);
}

/// Asks until the clock is as wanted, or in trouble, or `tries` times 50 ms have passed.
template <class Wanted>
Result<StatusReport> wait_for(GovernorClient& service, int tries, Wanted wanted) {
  auto status = service.status();
  for (; status && !wanted(*status) && tries > 0; --tries) {
    ::poll(nullptr, 0, 50);
    status = service.status();
  }
  return status;
}

Finding judged(const StatusReport& pinned, Hertz target, const std::string& before, const std::string& after) {
  if (after != before)
    return {Verdict::fail, write_test, "the limits were " + before + " and are " + after,
            "sudo systemctl restart sweetspotd"};
  const std::string& condition = pinned.clock.condition;
  if (condition == "pinned")
    return {Verdict::ok, write_test, "the service wrote " + to_text(target) + ", read it back, restored " + after, ""};
  const std::string text = "asked for " + to_text(target) + ", the service says " + condition +
                           (pinned.clock.detail.empty() ? "" : ": " + pinned.clock.detail);
  if (condition == "capped" || condition == "waiting")
    return {Verdict::warn, write_test, text, "it is too hot, or a power mode caps it"};
  return {Verdict::fail, write_test, text, "see the lines on writing, on the service and on rivals"};
}

}  // namespace

ClockTestFacts clock_test_facts(const FileAttributes& board, const GpuNode& gpu,
                                const std::optional<StatusReport>& daemon) {
  ClockTestFacts facts{.limits_may_hang = gpu.limits_may_hang, .daemon = daemon, .node = gpu.devfreq_dir};
  facts.kernel_files = are_kernel_files(board.root() + gpu.devfreq_dir + "/min_freq");
  if (auto reader = LoadReader::open(board, gpu)) {
    if (const auto load = reader->read()) facts.load_percent = *load;
  }
  return facts;
}

std::optional<Finding> no_clock_test(const ClockTestFacts& facts) {
  if (!facts.wanted) return skipped_write_test("not wanted (--no-write)");
  if (!facts.kernel_files)
    return skipped_write_test("this is a copy of a board: its files do not answer as the kernel's do");
  if (facts.daemon && (!facts.daemon->jobs.empty() || facts.daemon->clock.goal)) return word_of_daemon(*facts.daemon);
  if (facts.daemon && facts.daemon->gpu.node != facts.node)
    return skipped_write_test("the service governs another node: " + facts.daemon->gpu.node.value_or("none"));
  if (facts.limits_may_hang) return skipped_write_test("on this release, reads of the limits are reported to hang");
  if (facts.load_percent.value_or(0) > idle_percent)
    return skipped_write_test("the GPU is busy (" + fixed_text(*facts.load_percent, 0) +
                              " %); ask again when it is idle");
  return std::nullopt;
}

Finding service_clock_test(const FileAttributes& board, const GpuNode& gpu, GovernorClient& service) {
  const std::string before = limits_now(board, gpu);
  const auto cap = read_clock(board, gpu.devfreq_dir + "/max_freq");
  if (!cap) return {Verdict::fail, write_test, cap.error().message, "sudo dmesg | grep -E 'nvgpu|devfreq'"};
  JobSpec spec;
  spec.name = "sweetspot doctor";
  spec.policy = "fixed";
  spec.frequency = test_clock(gpu.table, *cap);
  constexpr double longest_s = 30;
  spec.lease_s = longest_s;
  const auto started = service.start_job(spec);
  if (!started) return {Verdict::fail, write_test, started.error().message, "see `journalctl -u sweetspotd`"};
  const auto pinned = wait_for(service, 40, [](const StatusReport& now) {
    return now.clock.condition != "pending" && now.clock.condition != "released";
  });
  const auto ended = service.end_job(started->reply.job_id);
  const auto released = wait_for(
      service, 40, [](const StatusReport& now) { return now.clock.condition == "released" || !now.jobs.empty(); });
  if (!pinned) return {Verdict::fail, write_test, pinned.error().message, "see `journalctl -u sweetspotd`"};
  if (!ended) return {Verdict::fail, write_test, ended.error().message, "see `journalctl -u sweetspotd`"};
  if (released && !released->jobs.empty()) return skipped_write_test("another job started meanwhile and has the clock");
  return judged(*pinned, *spec.frequency, before, limits_now(board, gpu));
}

}  // namespace sweetspot
