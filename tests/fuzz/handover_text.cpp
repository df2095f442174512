// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/handover_text.hpp"

#include <algorithm>

#include "sweetspot/core/governor.hpp"
#include "tests/fuzz/properties.hpp"

// What one daemon leaves to the next: whatever is taken for one, a governor can go on with.
namespace sweetspot::fuzz {
namespace {

void go_on_with(const Handover& handover) {
  Instant now = handover.governor.clock_accounted_at + seconds(3);
  Governor governor{GovernorSettings{}};
  governor.take_over(handover.governor, seconds(1), now);
  require(governor.jobs().size() == handover.governor.jobs.size(), "every job goes on");
  if (handover.governor.meter) {
    EnergyMeter meter(*handover.governor.meter, seconds(1));
    meter.add(
        {.at = std::max(now, handover.governor.meter->total.at + seconds(1)), .rails = {}, .gpu_load_percent = 5});
    governor.observe_meter(meter, now);
  }
  governor.observe_clock({.condition = ClockCondition::lost, .goal = governor.goal(), .detail = "lost"}, now);
  governor.observe_board(BoardFacts{handover.governor.board}, now);
  for (const auto& [id, job] : governor.jobs()) (void)governor.record_so_far(job, now);
  for (const Job& job : handover.governor.jobs)
    (void)governor.progress(job.id, std::max<std::int64_t>(job.steps.value_or(0), 1), job.owner.uid, now);
  governor.tick(now += seconds(60));
  governor.interrupt_all(now);
  require(governor.jobs().empty(), "every job ends");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  const auto handover = parse_handover(fuzz::as_text(bytes, size));
  if (!handover) {
    fuzz::require_good_error(handover.error());
    return 0;
  }
  const std::string written = handover_text(*handover);
  const auto again = parse_handover(written);
  fuzz::require(again.has_value(), "what is written can be read");
  fuzz::require(handover_text(*again) == written, "read and written again it is the same");
  fuzz::go_on_with(*handover);
  return 0;
}
