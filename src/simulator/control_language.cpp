// SPDX-License-Identifier: Apache-2.0
#include "simulator/control_language.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "simulator/errno_names.hpp"

namespace sweetspot {

namespace {

struct Verb {
  ControlVerb verb;
  std::string_view words;
  std::string_view
      arguments;  ///< CAPITALS or a|b: positional; [KEY=…]: option; a trailing … takes the rest of the line
  std::string_view meaning;
};

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table{
      {ControlVerb::load_start, "load start", "WORKLOAD [steps=N]",
       "run WORKLOAD until N steps are done, `load end`, or this open file is closed; reading the file tells `STEPS "
       "TOTAL "
       "running|done`"},
      {ControlVerb::load_end, "load end", "", "end the load of this open file"},
      {ControlVerb::write_error, "write-error", "FILE ERRNO [count=N]", "writes fail (N times, else until cleared)"},
      {ControlVerb::read_error, "read-error", "FILE ERRNO [count=N]", "reads fail (N times, else until cleared)"},
      {ControlVerb::block, "block", "FILE read|write|both SECONDS", "accesses hang until SECONDS from now"},
      {ControlVerb::slow, "slow", "FILE read|write|both SECONDS", "each access takes SECONDS (0: quick again)"},
      {ControlVerb::set, "set", "FILE TEXT…", "the file reads TEXT until cleared"},
      {ControlVerb::clear, "clear", "FILE|all", "undo write-error, read-error, block, slow, set, sensor faults"},
      {ControlVerb::gpu_vanish, "gpu vanish", "[for=SECONDS]", "the GPU driver goes; its node with it"},
      {ControlVerb::gpu_appear, "gpu appear", "[after=SECONDS]",
       "the GPU driver comes (back), limits at their defaults; with after= the node is gone until then"},
      {ControlVerb::clock_stuck, "clock stuck", "", "writes succeed, the clock does not move"},
      {ControlVerb::clock_follow, "clock follow", "", "the clock follows again"},
      {ControlVerb::governor, "governor", "NAME", "somebody changes the GPU's devfreq governor"},
      {ControlVerb::kernel, "kernel", "4.9|5.10", "min/max semantics of that kernel"},
      {ControlVerb::thermal_cap, "thermal cap", "HZ [state=N]",
       "the kernel caps the GPU clock; cooling cur_state becomes N (1)"},
      {ControlVerb::thermal_clear, "thermal clear", "[steps=N] [every=SECONDS]",
       "the cap goes, at once or table entry by table entry"},
      {ControlVerb::rival, "rival", "[min=HZ] [max=HZ] [every=SECONDS] [count=N]",
       "another program writes min_freq/max_freq, once or periodically"},
      {ControlVerb::rival_stop, "rival stop", "", "it stops"},
      {ControlVerb::power_mode, "power-mode", "ID",
       "as nvpmodel -m ID: min 0, then the mode's cap; the status file changes"},
      {ControlVerb::sensor_stuck, "sensor stuck", "RAIL", "the rail's files keep the value they have now"},
      {ControlVerb::sensor_error, "sensor error", "RAIL ERRNO [count=N]", "reading the rail fails"},
      {ControlVerb::sensor_clear, "sensor clear", "RAIL", "the rail works again"},
      {ControlVerb::hwmon_renumber, "hwmon renumber", "", "the power monitors are bound anew under other numbers"},
      {ControlVerb::oc, "oc", "1|2|3 [count=N]", "over-current event counter goes up by N (1)"},
      {ControlVerb::kill_at, "kill-at", "N before|after [comm=NAME]",
       "SIGKILL the process that makes the N-th access below sys (open, read or write of a file, counted from this "
       "line) before "
       "or after the access is carried out"},
      {ControlVerb::kill_cancel, "kill-at off", "", "no kill any more"},
      {ControlVerb::accesses_restart, "accesses restart", "", "DIR/accesses counts from 0"},
      {ControlVerb::writes_clear, "writes clear", "", "DIR/writes forgets"},
  };
  return table;
}

std::vector<std::string> split(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// The verb whose words start the line; of several the longest.
const Verb* verb_of(const std::vector<std::string>& words, std::size_t& used) {
  const Verb* best = nullptr;
  used = 0;
  for (const Verb& verb : verbs()) {
    const auto own = split(verb.words);
    if (own.size() <= used || own.size() > words.size()) continue;
    if (std::equal(own.begin(), own.end(), words.begin())) {
      best = &verb;
      used = own.size();
    }
  }
  return best;
}

struct Shape {
  std::size_t positional = 0;
  std::vector<std::string> options;
  bool takes_rest = false;
};

Shape shape_of(const Verb& verb) {
  Shape shape;
  for (const auto& word : split(verb.arguments)) {
    if (word.front() == '[') {
      shape.options.push_back(word.substr(1, word.find('=') - 1));
    } else {
      ++shape.positional;
      shape.takes_rest |= word.find("…") != std::string::npos;
    }
  }
  return shape;
}

std::string usage(const Verb& verb) {
  return "expected `" + std::string(verb.words) + (verb.arguments.empty() ? "" : " ") + std::string(verb.arguments) +
         "`";
}

constexpr std::size_t meaning_column = 46;

// Continued under its own first line.
std::string wrapped(std::string_view text) {
  constexpr std::size_t widest = 66;
  std::string lines;
  std::size_t used = 0;
  for (const auto& word : split(text)) {
    if (used + word.size() + 1 > widest) {
      lines += "\n" + std::string(meaning_column, ' ');
      used = 0;
    }
    lines += (used == 0 ? "" : " ") + word;
    used += word.size() + 1;
  }
  return lines;
}

Result<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return failure("'" + text + "' is not a number");
  return value;
}

}  // namespace

Result<double> ControlLine::number(const std::string& option, double fallback) const {
  const auto found = options.find(option);
  return found == options.end() ? Result<double>(fallback) : number_in(found->second);
}

Result<std::optional<int>> ControlLine::count() const {
  const auto value = number("count", -1);
  if (!value) return failure(value.error());
  return *value < 0 ? std::optional<int>{} : std::optional<int>{static_cast<int>(*value)};
}

Result<double> ControlLine::argument_number(std::size_t index) const {
  return number_in(arguments.at(index));
}

Result<ControlLine> parse_control_line(std::string_view text) {
  const auto words = split(text);
  if (words.empty()) return failure("empty line");
  std::size_t used = 0;
  const Verb* verb = verb_of(words, used);
  if (verb == nullptr) return failure("unknown command '" + words.front() + "'");
  const Shape shape = shape_of(*verb);
  ControlLine line;
  line.verb = verb->verb;
  for (std::size_t i = used; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    const std::string key = words[i].substr(0, equals);
    const bool known = std::find(shape.options.begin(), shape.options.end(), key) != shape.options.end();
    if (equals != std::string::npos && known) {
      line.options[key] = words[i].substr(equals + 1);
    } else if (shape.takes_rest && line.arguments.size() == shape.positional) {
      line.arguments.back() += " " + words[i];
    } else {
      line.arguments.push_back(words[i]);
    }
  }
  if (line.arguments.size() != shape.positional) return failure(usage(*verb));
  return line;
}

std::string control_grammar() {
  std::string text = "One line per write to DIR/control (or --fault at mount):\n";
  for (const Verb& verb : verbs()) {
    std::string syntax =
        "  " + std::string(verb.words) + (verb.arguments.empty() ? "" : " ") + std::string(verb.arguments);
    // "…" is three bytes wide and one column.
    const std::size_t columns = syntax.size() - (syntax.find("…") == std::string::npos ? 0 : 2);
    syntax +=
        columns < meaning_column ? std::string(meaning_column - columns, ' ') : "\n" + std::string(meaning_column, ' ');
    text += syntax + wrapped(verb.meaning) + "\n";
  }
  return text +
         "FILE is a path from DIR (sys/…), from the board's root (/sys/…), or the bare name of a file of the GPU\n"
         "(min_freq, load). RAIL is a rail's label.\n"
         "ERRNO: " +
         errno_list() + "\n";
}

}  // namespace sweetspot
