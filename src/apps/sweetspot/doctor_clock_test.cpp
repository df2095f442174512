// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_clock_test.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "apps/sweetspot/signal_feed.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/runtime_lock.hpp"
#include "sweetspot/platform/saved_clock.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* check = "write test";

Finding skipped(const std::string& why) {
  return {Verdict::skip, check, why, ""};
}

bool may_write(const FileAttributes& board, const GpuNode& gpu) {
  for (const char* file : {"/min_freq", "/max_freq"}) {
    if (::access((board.root() + gpu.devfreq_dir + file).c_str(), W_OK) != 0) return false;
  }
  return true;
}

Finding word_of_daemon(const StatusReport& status) {
  const std::string& condition = status.clock.condition;
  const bool bad = condition == "failing" || condition == "gave_up" || condition == "blocked" ||
                   condition == "not_obeyed" || condition == "lost";
  std::string text = "the service holds the clock and says: " + condition;
  if (status.clock.applied) text += " at " + to_text(*status.clock.applied);
  if (!status.clock.detail.empty()) text += ", " + status.clock.detail;
  return {bad ? Verdict::fail : Verdict::skip, check, text, ""};
}

// One entry below the highest allowed: then both limits have to change, and a busy GPU hardly notices.
Hertz test_clock(const FrequencyTable& table, Hertz cap) {
  const Hertz top = table.highest_within(cap).value_or(table.lowest());
  return table.highest_within({top.value - 1}).value_or(top);
}

// Another writer may be half-way through its two writes; pin() then asks for a second look.
Result<PinReport> pin_patiently(GpuClock& clock, Hertz target) {
  Result<PinReport> report = failure("not tried");
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (attempt > 0) ::poll(nullptr, 0, 150);
    report = clock.pin(target, PinStyle::exact, std::chrono::steady_clock::now());
    if (!report || report->state != PinState::look_again) return report;
  }
  return report;
}

std::string limits_text(ClockLimits limits) {
  return to_text(limits.min) + " to " + to_text(limits.max);
}

Finding outcome(const Result<PinReport>& pin, const ReleaseReport& release, ClockLimits before, ClockLimits after) {
  if (!pin) return {Verdict::fail, check, pin.error().message, "see the lines on permissions above"};
  if (!(before == after)) {
    std::string notes;
    for (const std::string& note : release.notes) notes += "; " + note;
    return {Verdict::fail, check, "the limits were " + limits_text(before) + " and are " + limits_text(after) + notes,
            "sudo sweetspotd --restore"};
  }
  switch (pin->state) {
    case PinState::pinned:
      return {Verdict::ok, check, "wrote " + to_text(pin->target) + ", read it back, restored " + limits_text(after),
              ""};
    case PinState::waiting_for_cooling:
      return skipped("the board is too hot: a cooling device hides the limits");
    case PinState::look_again:
      return skipped("another program is writing the limits");
    case PinState::capped:
      return {Verdict::warn, check, "wrote " + to_text(pin->target) + ", but the board held " + limits_text(pin->read),
              "it is too hot, or a power mode caps it"};
    case PinState::differs:
      return {Verdict::fail, check, "wrote " + to_text(pin->target) + " and read " + limits_text(pin->read),
              "another program writes the limits: jtop, nvpmodel or a script"};
  }
  return skipped("not known");
}

Finding tested(FileAttributes& board, const GpuNode& gpu, SavedClockStore& store) {
  // A pin must not outlive us because somebody was impatient.
  const auto held_signals = SignalFeed::open({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  if (!held_signals) return {Verdict::fail, check, held_signals.error().message, ""};
  GpuClock clock(board, gpu, store);
  const auto before = clock.read_limits();
  if (!before) return {Verdict::fail, check, before.error().message, ""};
  const auto pin = pin_patiently(clock, test_clock(gpu.table, before->max));
  const auto release = clock.release();
  if (!release) return {Verdict::fail, check, "not restored: " + release.error().message, "sudo sweetspotd --restore"};
  const auto after = clock.read_limits();
  if (!after) return {Verdict::fail, check, after.error().message, "sudo sweetspotd --restore"};
  return outcome(pin, *release, *before, *after);
}

}  // namespace

std::vector<Finding> runtime_findings(const std::string& runtime_dir) {
  if (::access(runtime_dir.c_str(), F_OK) != 0)
    return {{Verdict::skip, "lock", runtime_dir + ": " + std::strerror(errno) + " (the service has not run yet)", ""}};
  if (::access(runtime_dir.c_str(), R_OK | W_OK | X_OK) != 0)
    return {{Verdict::skip, "lock", runtime_dir + " is private to the service and root", ""}};
  std::vector<Finding> findings;
  const auto lock = RuntimeLock::acquire(runtime_dir);
  const bool held = !lock && lock.error().code == EWOULDBLOCK;
  if (lock) findings.push_back({Verdict::ok, "lock", "free: no service writes the clock", ""});
  if (!lock) findings.push_back({held ? Verdict::ok : Verdict::fail, "lock", lock.error().message, ""});

  const auto saved = SavedClockStore(runtime_dir).load();
  if (!saved) findings.push_back({Verdict::fail, "saved clock", saved.error().message, ""});
  if (lock && saved && *saved)
    findings.push_back({Verdict::warn, "saved clock",
                        "a service that died left its pin; limits to restore: " + limits_text((*saved)->found),
                        "sudo sweetspotd --restore"});
  return findings;
}

Finding clock_test(FileAttributes& board, const GpuNode& gpu, const std::string& runtime_dir,
                   const std::optional<StatusReport>& daemon) {
  if (daemon) return word_of_daemon(*daemon);
  if (!may_write(board, gpu)) return skipped("this user may not write the limits; try `sudo sweetspot doctor`");
  if (gpu.limits_may_hang) return skipped("on this release, reads of the limits are reported to hang");
  const auto lock = RuntimeLock::acquire(runtime_dir);
  if (!lock) return skipped(lock.error().message);
  SavedClockStore store(runtime_dir);
  const auto saved = store.load();
  if (!saved) return skipped(saved.error().message);
  if (*saved) return skipped("a pin is left to be restored first");
  return tested(board, gpu, store);
}

}  // namespace sweetspot
