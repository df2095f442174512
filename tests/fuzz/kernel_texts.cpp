// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/board_identity.hpp"
#include "sweetspot/platform/power_mode.hpp"
#include "sweetspot/platform/process.hpp"
#include "sweetspot/platform/uevents.hpp"
#include "tests/fuzz/properties.hpp"

// Lines of /proc, in which a process has chosen its own name; uevents; nvpmodel's files and the release file.
namespace sweetspot::fuzz {
namespace {

void check_process(std::string_view text) {
  const auto stat = parse_process_stat(text);
  if (stat) {
    require(text.find("(" + stat->comm + ")") != std::string_view::npos, "a command stands in parentheses");
    require(text.substr(text.rfind(')')).find(std::to_string(stat->start_ticks)) != std::string_view::npos,
            "a start time comes from behind the command");
  } else {
    require_good_error(stat.error(), 300);
  }
  const auto depth = parse_namespace_depth(text);
  require(!depth || (*depth >= 1 && static_cast<std::size_t>(*depth) <= text.size()), "a depth counts pids");
}

void check_uevent(std::string_view text) {
  const auto event = parse_uevent(text);
  if (!event) return;
  require(!event->action.empty() && event->devpath.front() == '/', "a uevent has an action and a path");
  for (const std::string& part : {event->action, event->devpath, event->subsystem})
    require(part.find('\0') == std::string::npos && text.find(part) != std::string_view::npos, "its parts are its own");
}

void check_power_mode(std::string_view text) {
  const auto id = parse_power_mode_status(text);
  require(!id || *id >= 0, "a mode has a number");
  for (const auto& [number, name] : parse_power_mode_names(text)) {
    require(number >= 0 && !name.empty(), "a mode has a number and a name");
    require(name.find_first_of(" \t\n>") == std::string::npos, "a name is one word");
  }
}

void check_release(std::string_view text) {
  const std::string release = l4t_release(text);
  require(release.find_first_not_of("0123456789.") == std::string::npos, "a release is digits and dots");
  (void)jetpack_of(release);
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const std::string_view text = as_text(bytes, size);
  check_process(text);
  check_uevent(text);
  check_power_mode(text);
  check_release(text);
  return 0;
}
