// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/wire/status_report.hpp"

#include <cmath>

#include "sweetspot/wire/metrics.hpp"
#include "tests/fuzz/properties.hpp"

// The parameters of GetStatus' reply, in a client: read, written as metrics, written again.
namespace sweetspot::fuzz {
namespace {

bool is_metric_name(std::string_view name) {
  return name.rfind("sweetspot", 0) == 0 &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

/// {label="text",…} with \\, \" and \n as the only escapes; returns what stands behind it.
std::string_view after_labels(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\') {
      require(i + 1 < line.size(), "an escape is whole");
      const char escaped = line[++i];
      require(escaped == '\\' || escaped == '"' || escaped == 'n', "only known escapes");
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == '}' && !quoted) {
      return line.substr(i + 1);
    }
  }
  broken("labels end");
}

void check_metric(std::string_view line) {
  if (line.rfind("# HELP ", 0) == 0 || line.rfind("# TYPE ", 0) == 0) return;
  const std::size_t end = line.find_first_of("{ ");
  require(end != std::string_view::npos && is_metric_name(line.substr(0, end)), "a line starts with a metric's name");
  line.remove_prefix(end);
  if (line.front() == '{') line = after_labels(line);
  require(line.size() > 1 && line.front() == ' ', "a value follows");
  require(line.find_first_not_of("0123456789.+-e", 1) == std::string_view::npos, "a value is a finite number");
}

void check_metrics(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    require(end != std::string_view::npos, "every line ends");
    check_metric(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
}

}  // namespace
}  // namespace sweetspot::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace sweetspot::fuzz;
  const auto report = sweetspot::parse_status(as_text(bytes, size));
  if (!report) {
    require_good_error(report.error());
    return 0;
  }
  const std::string text = status_to_json(*report);
  require(is_utf8(text), "a status is UTF-8");
  require(sweetspot::parse_status(text).has_value(), "a status that is written can be read");
  check_metrics(metrics_text(*report));
  return 0;
}
