// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_clock_test.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "apps/sweetspot/doctor_test_clock.hpp"
#include "apps/sweetspot/signal_feed.hpp"
#include "sweetspot/client/human_text.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/platform/folder_owner.hpp"
#include "sweetspot/platform/gpu_clock.hpp"
#include "sweetspot/platform/runtime_lock.hpp"
#include "sweetspot/platform/saved_clock.hpp"

namespace sweetspot {
namespace {

using Verdict = Finding::Verdict;
constexpr const char* permissions_fix = "see the lines on writing min_freq and max_freq above";

bool may_write(const FileAttributes& board, const GpuNode& gpu) {
  for (const char* file : {"/min_freq", "/max_freq"}) {
    if (::access((board.root() + gpu.devfreq_dir + file).c_str(), W_OK) != 0) return false;
  }
  return true;
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
  if (!pin) return {Verdict::fail, write_test, pin.error().message, permissions_fix};
  if (!(before == after)) {
    std::string notes;
    for (const std::string& note : release.notes) notes += "; " + note;
    return {Verdict::fail, write_test,
            "the limits were " + limits_text(before) + " and are " + limits_text(after) + notes,
            "sudo sweetspotd --restore"};
  }
  switch (pin->state) {
    case PinState::pinned:
      return {Verdict::ok, write_test,
              "wrote " + to_text(pin->target) + ", read it back, restored " + limits_text(after), ""};
    case PinState::waiting_for_cooling:
      return skipped_write_test("the board is too hot: a cooling device hides the limits");
    case PinState::look_again:
      return skipped_write_test("another program is writing the limits");
    case PinState::capped:
      return {Verdict::warn, write_test,
              "wrote " + to_text(pin->target) + ", but the board held " + limits_text(pin->read),
              "it is too hot, or a power mode caps it"};
    case PinState::differs:
      return {Verdict::fail, write_test, "wrote " + to_text(pin->target) + " and read " + limits_text(pin->read),
              "another program writes the limits: jtop, nvpmodel or a script"};
  }
  return skipped_write_test("not known");
}

Finding tested(FileAttributes& board, const GpuNode& gpu, SavedClockStore& store) {
  // A pin must not outlive us because somebody was impatient.
  const auto held_signals = SignalFeed::open({SIGINT, SIGTERM, SIGHUP, SIGQUIT});
  if (!held_signals) return skipped_write_test(held_signals.error().message);
  GpuClock clock(board, gpu, store);
  const auto before = clock.read_limits();
  if (!before) return {Verdict::fail, write_test, before.error().message, "sudo dmesg | grep -E 'nvgpu|devfreq'"};
  const auto pin = pin_patiently(clock, test_clock(gpu.table, before->max));
  const auto release = clock.release();
  if (!release)
    return {Verdict::fail, write_test, "not restored: " + release.error().message, "sudo sweetspotd --restore"};
  const auto after = clock.read_limits();
  if (!after) return {Verdict::fail, write_test, after.error().message, "sudo sweetspotd --restore"};
  return outcome(pin, *release, *before, *after);
}

}  // namespace

std::vector<Finding> runtime_findings(const std::string& runtime_dir) {
  if (::access(runtime_dir.c_str(), F_OK) != 0) return {};
  if (::access(runtime_dir.c_str(), R_OK | W_OK | X_OK) != 0)
    return {{Verdict::skip, "lock", runtime_dir + " is private to the service and root", ""}};
  std::vector<Finding> findings;
  const auto held = RuntimeLock::is_held(runtime_dir);
  if (!held) return {{Verdict::fail, "lock", held.error().message, "sudo systemctl restart sweetspotd"}};
  findings.push_back({Verdict::ok, "lock",
                      *held ? "held: a service is the one writer of the clock" : "free: no service writes the clock",
                      ""});
  const auto saved = SavedClockStore(runtime_dir).load();
  if (!saved)
    findings.push_back({Verdict::fail, "saved clock", saved.error().message,
                        "sudo rm " + runtime_dir + "/saved-clock, once min_freq and max_freq are right"});
  if (!*held && saved && *saved)
    findings.push_back({Verdict::warn, "saved clock",
                        "a service that died left its pin; limits to restore: " + limits_text((*saved)->found),
                        "sudo sweetspotd --restore"});
  return findings;
}

Finding clock_test(FileAttributes& board, const GpuNode& gpu, const std::string& runtime_dir) {
  const bool was_root = ::geteuid() == 0;
  if (const auto owner = become_owner_of(runtime_dir); !owner) return skipped_write_test(owner.error().message);
  const bool as_service = was_root && ::geteuid() != 0;
  if (!may_write(board, gpu) && as_service)
    return {Verdict::fail, write_test, "the service's user may not write the limits",
            "sudo sweetspotd --grant-access sweetspot"};
  if (!may_write(board, gpu))
    return skipped_write_test("this user may not write the limits; try `sudo sweetspot doctor`");
  const auto lock = RuntimeLock::acquire(runtime_dir);
  if (!lock) return skipped_write_test(lock.error().message);
  SavedClockStore store(runtime_dir);
  const auto saved = store.load();
  if (!saved) return skipped_write_test(saved.error().message);
  if (*saved) return skipped_write_test("a pin is left to be restored first");
  return tested(board, gpu, store);
}

}  // namespace sweetspot
