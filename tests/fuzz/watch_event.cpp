// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/watch_event.hpp"

#include "sweetspot/wire/replies.hpp"
#include "tests/fuzz/properties.hpp"

// The parameters of a Watch reply, in a client.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot;
  using namespace sweetspot::fuzz;
  const auto event = parse_watch_event(as_text(bytes, size));
  if (!event) {
    require_good_error(event.error());
    return 0;
  }
  const std::string text = watch_event_to_json(*event);
  const auto again = parse_watch_event(text);
  // A newer daemon's event is passed on by its kind alone.
  if (std::holds_alternative<UnknownEvent>(event->what)) return 0;
  require(again.has_value(), "an event that is written can be read");
  require(kind_of(*again) == kind_of(*event), "its kind stays");
  require(again->what.index() == event->what.index(), "so does what it is");
  (void)require_message(watch_event_reply(*event));
  return 0;
}
