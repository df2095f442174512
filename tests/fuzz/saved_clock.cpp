// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/saved_clock.hpp"

#include "tests/fuzz/properties.hpp"

// The file that says what to give back after a crash: whoever could write it must not steer root's writes.
namespace sweetspot::fuzz {
namespace {

void require_clock(std::optional<Hertz> clock) {
  require(!clock || (clock->value >= 1 && clock->value <= 100'000'000'000), "a clock is one");
}

void require_node(const std::string& node) {
  require(node.rfind("/sys/devices/", 0) == 0 && node.find("/devfreq/") != std::string::npos,
          "a node is a devfreq directory");
  require(node.find("/../") == std::string::npos && node.find('\0') == std::string::npos, "and stays below /sys");
  require(is_quiet(node) && node.back() != '/' && !node.ends_with("/.."), "in plain letters");
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto saved = parse_saved_clock(as_text(bytes, size));
  if (!saved) {
    require_good_error(saved.error());
    return 0;
  }
  require_clock(saved->found.min);
  require_clock(saved->found.max);
  require_clock(saved->last_target);
  require_clock(saved->next_target);
  require_node(saved->node);
  require(!saved->boot_id.empty(), "a saved clock belongs to a boot");
  const auto again = parse_saved_clock(format_saved_clock(*saved));
  require(again.has_value() && *again == *saved, "what is written again is the same");
  return 0;
}
