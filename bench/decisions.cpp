// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "bench/measurements.hpp"
#include "bench/spread.hpp"
#include "sweetspot/core/policy.hpp"

namespace sweetspot::bench {

std::vector<Row> measure_decisions(const Effort& effort) {
  const auto table = FrequencyTable::from({megahertz(510), megahertz(612), megahertz(714), megahertz(816)});
  if (!table) throw std::runtime_error(table.error().message);
  const BoardClocks clocks{*table, megahertz(816)};
  const PolicySettings settings;
  JobSpec spec;
  std::uint64_t sum = 0;
  Spread decisions;
  time_into(decisions, [&] {
    for (int i = 0; i < effort.decisions; ++i) {
      spec.layers = 1 + i % 32;
      spec.mean_sequence_length = i % 128;
      sum += decide(spec, settings, &clocks).frequency->value;
    }
  });
  if (sum == 0) throw std::runtime_error("no decision");
  return {{"MLG decision with its reason in words", "ns", decisions.median() * 1e3 / effort.decisions, {}, {}}};
}

}  // namespace sweetspot::bench
