// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-load/true_clock.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <iostream>

#include "apps/sweetspot-load/complaint.hpp"
#include "apps/sweetspot-load/stop_signal.hpp"
#include "apps/sweetspot-load/training_run.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/oc_events.hpp"

namespace sweetspot {

namespace {

/// A count that is not over so long after its window never will be.
constexpr Duration patience = seconds(30);

std::string megahertz_text(Hertz clock) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.1f MHz", in_megahertz(clock));
  return text.data();
}

std::string agreement_text(const ClockReading& reading) {
  switch (agreement_in(reading)) {
    case ClockAgreement::agrees:
      return "agrees";
    case ClockAgreement::slower:
      return "SLOWER than sysfs says";
    case ClockAgreement::faster:
      return "faster than sysfs says";
    case ClockAgreement::unknown:
      return "nothing to compare with";
  }
  return {};
}

/// What the readings come to.
struct Tally {
  std::uint64_t readings = 0;
  std::uint64_t compared = 0;
  std::uint64_t slower = 0;
};

void print_end(const Tally& tally, std::optional<std::uint64_t> events, std::ostream& out) {
  if (tally.compared == 0) {
    out << tally.readings << " readings, none with a cur_freq to compare with\n";
  } else {
    out << tally.slower << " of " << tally.compared << " readings slower than cur_freq\n";
  }
  if (events) out << *events << " over-current events meanwhile\n";
  if (tally.slower > 0) {
    out << "The GPU ran slower than its driver says. Over-current throttling does that, and shows in no other file "
           "than\n"
           "oc*_event_cnt; see docs/cuda.md\n";
  }
}

}  // namespace

TrueClock::TrueClock(const Attributes& board, CycleCounter& counter, std::function<Result<void>()> keep_busy)
    : board_(&board), counter_(&counter), keep_busy_(std::move(keep_busy)) {
  const auto node = find_gpu(board, identify_board(board));
  if (node) {
    where_ = node->devfreq_dir;
    file_ = node->devfreq_dir + "/cur_freq";
  } else {
    where_ = "no cur_freq: " + node.error().message;
  }
  events_before_ = sweetspot::over_current_events(board);
}

std::optional<std::uint64_t> TrueClock::over_current_events() const {
  const auto now = sweetspot::over_current_events(*board_);
  if (!now || !events_before_ || *now < *events_before_) return std::nullopt;
  return *now - *events_before_;
}

std::optional<Hertz> TrueClock::reported() const {
  if (!file_) return std::nullopt;
  const auto clock = read_clock(*board_, *file_);
  return clock ? std::optional(*clock) : std::nullopt;
}

Result<ClockReading> TrueClock::read(Duration window) {
  ClockReading reading;
  if (auto started = counter_->start(window); !started) return failure(std::move(started.error()));
  reading.reported_before = reported();
  const auto deadline = std::chrono::steady_clock::now() + window + patience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (auto busy = keep_busy_(); !busy) return failure(std::move(busy.error()));
    auto count = counter_->poll();
    if (!count) return failure(std::move(count.error()));
    if (!*count) continue;
    reading.count = **count;
    reading.reported_after = reported();
    return reading;
  }
  return failure("the count of cycles did not end");
}

Result<void> TrueClock::work(Duration time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < deadline && stop_signal() == 0) {
    if (auto busy = keep_busy_(); !busy) return busy;
  }
  return {};
}

std::string reading_line(const ClockReading& reading) {
  const Hertz counted = clock_of(reading.count);
  const auto reported = reading.reported_after ? reading.reported_after : reading.reported_before;
  std::string line = "cur_freq " + (reported ? megahertz_text(*reported) : "unknown");
  if (reading.reported_before && reported && *reading.reported_before != *reported) {
    line += " (before: " + megahertz_text(*reading.reported_before) + ")";
  }
  line += ", counted " + megahertz_text(counted);
  if (reported && reported->value > 0) {
    std::array<char, 32> share{};
    std::snprintf(share.data(), share.size(), " (%+.1f %%)",
                  100 * (static_cast<double>(counted.value) / static_cast<double>(reported->value) - 1));
    line += share.data();
  }
  return line + ": " + agreement_text(reading);
}

Result<void> show_readings(TrueClock& clock, const LoadOptions& options, std::ostream& out) {
  out << clock.where() << std::endl;
  Tally tally;
  while (tally.readings < options.readings && stop_signal() == 0) {
    if (auto worked = clock.work(options.between_readings); !worked) return worked;
    const auto reading = clock.read(options.window);
    if (!reading) return failure(Error(reading.error()));
    const auto agreement = agreement_in(*reading);
    ++tally.readings;
    if (agreement != ClockAgreement::unknown) ++tally.compared;
    if (agreement == ClockAgreement::slower) ++tally.slower;
    out << reading_line(*reading) << std::endl;
  }
  print_end(tally, clock.over_current_events(), out);
  return {};
}

int show_true_clock(const LoadOptions& options) {
  auto arithmetic = arithmetic_for(options);
  if (!arithmetic) return complain(arithmetic.error().message, exit_no_gpu);
  const auto counter = gpu_cycle_counter();
  if (!counter) return complain(counter.error().message, exit_no_gpu);
  auto step = TrainingStep<float>::create(**arithmetic, options.shape, options.seed);
  if (!step) return complain(step.error().message, exit_failure);

  note_stop_signals();
  const FileAttributes board(options.sysfs_root);
  TrueClock clock(board, **counter, [&] { return run_step(*step, **arithmetic); });
  const auto shown = show_readings(clock, options, std::cout);
  if (!shown) return complain(shown.error().message, exit_failure);
  return stop_signal() == 0 ? 0 : 128 + stop_signal();
}

}  // namespace sweetspot
