// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "bench/measurements.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/simulated_board.hpp"

// sweetspot-bench: what the daemon costs, beside what the same work costs without it, measured in turns in one run.
namespace sweetspot::bench {
namespace {

constexpr int exit_skipped = 77;

void append(std::vector<Row>& rows, std::vector<Row> more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// All that is measured shares one processor, the daemon and the bare baseline alike: where the kernel places two
/// processes that talk makes a factor of five, by the sleep of an idle processor, and is not what the daemon costs.
void stay_on_one_processor() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    CPU_ZERO(&allowed);
    CPU_SET(processor, &allowed);
    ::sched_setaffinity(0, sizeof allowed, &allowed);
    return;
  }
}

int run(const Effort& effort) {
  stay_on_one_processor();
  if (const auto reason = SimulatedBoard::unavailable()) {
    std::printf("skipped: %s\n", reason->c_str());
    return exit_skipped;
  }
  const SimulatedBoard board;
  std::vector<Row> rows = measure_round_trips(board.root(), effort);
  append(rows, measure_job_pairs(board.root(), effort));
  append(rows, measure_sampling(board.root(), effort));
  append(rows, measure_decisions(effort));
  append(rows, measure_adaptive(effort));
  append(rows, measure_memory(board.root()));
  append(rows, measure_starts(board.root(), effort));
  std::printf("%s", table_of(rows).c_str());
  return 0;
}

}  // namespace
}  // namespace sweetspot::bench

int main(int argc, char** argv) {
  using sweetspot::bench::Effort;
  const bool quick = argc == 2 && std::string_view(argv[1]) == "--quick";
  if (argc > 1 && !quick) {
    std::fprintf(stderr, "Usage: sweetspot-bench [--quick]\n  --quick  too few runs to mean anything, in seconds\n");
    return 2;
  }
  try {
    return sweetspot::bench::run(
        quick ? Effort{.round_trips = 100, .job_pairs = 5, .sampling_turns = 1, .starts = 2, .decisions = 1000}
              : Effort{});
  } catch (const std::exception& error) {
    if (std::string_view(error.what()).find(sweetspot::tests::no_own_run) != std::string_view::npos) {
      std::printf("skipped: %s\n", error.what());
      return sweetspot::bench::exit_skipped;
    }
    std::fprintf(stderr, "sweetspot-bench: %s\n", error.what());
    return 1;
  }
}
