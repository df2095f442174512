// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "sweetspot/core/policy.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/spec_json.hpp"
#include "tests/fuzz/properties.hpp"

// A JobSpec from a file of a user's, and the clock it leads to.
namespace sweetspot::fuzz {
namespace {

const BoardClocks& board() {
  static const BoardClocks clocks{
      *FrequencyTable::from({megahertz(306), megahertz(612), megahertz(714), megahertz(816), megahertz(1300.5)}),
      megahertz(816)};
  return clocks;
}

void check_decision(const JobSpec& spec) {
  const Decision decision = decide(spec, PolicySettings{}, &board());
  require(!decision.reason.empty() && is_utf8(decision.reason), "a decision has a reason");
  require(decision.path.size() <= 64, "a path ends");
  if (!decision.frequency) return;
  require(board().table.contains(*decision.frequency), "a clock is one of the board's");
  require(*decision.frequency <= board().cap, "and not above its cap");
}

void check_restricted(const JobSpec& spec) {
  const std::array<std::string, 2> known{"name", "layers"};
  const RestrictedSpec restricted = restrict_to(spec, known);
  require(restricted.spec.layers == spec.layers && !restricted.spec.policy, "only what is known stays");
  require(restrict_to(restricted.spec, known).left_out.empty(), "nothing is left out twice");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto spec = spec_from_json(as_text(bytes, size));
  if (!spec) {
    require_good_error(spec.error());
    return 0;
  }
  const auto again = spec_from_json(spec_to_json(*spec));
  require(again.has_value() && *again == *spec, "a spec that is read and written again is the same");
  check_restricted(*spec);
  if (const auto problem = problem_in(*spec)) {
    require_good_error(Error{problem->field + ": " + problem->expected});
  } else {
    check_decision(*spec);
  }
  return 0;
}
