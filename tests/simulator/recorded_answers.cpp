// SPDX-License-Identifier: Apache-2.0
#include "simulator/recorded_answers.hpp"

#include <fstream>

#include "places.hpp"

namespace sweetspot {

namespace {

std::vector<std::string> columns(const std::string& line) {
  const std::string separator = " | ";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = line.find(separator, begin)) != std::string::npos; begin = end + separator.size()) {
    parts.push_back(line.substr(begin, end - begin));
  }
  parts.push_back(line.substr(begin));
  return parts;
}

std::string with_newlines(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos;) {
    text[at] = '\n';
    text.erase(at + 1, 1);
  }
  return text;
}

}  // namespace

std::vector<RecordedAnswer> recorded_answers() {
  std::ifstream file(std::string(SWEETSPOT_SOURCE_DIR) + "/tests/data/devfreq-answers/linux-6.1.0-57-arm64.txt");
  std::vector<RecordedAnswer> answers;
  std::string governor;
  bool first = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    if (line.rfind("start ", 0) == 0) {
      governor = line.substr(6);
      first = true;
      continue;
    }
    const auto parts = columns(line);
    answers.push_back({governor, first, parts.at(0), with_newlines(parts.at(1)), parts.at(2), std::stoull(parts.at(3)),
                       std::stoull(parts.at(4)), std::stoull(parts.at(5))});
    first = false;
  }
  return answers;
}

}  // namespace sweetspot
