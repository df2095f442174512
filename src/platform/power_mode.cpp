// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/power_mode.hpp"

#include <charconv>

namespace sweetspot {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r") - start + 1);
}

/// The value of " KEY=value" up to the next blank; empty when the key is not there.
std::string_view field(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view value = line.substr(at + key.size());
  return value.substr(0, value.find_first_of(" \t>"));
}

std::optional<int> leading_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string to_text(const PowerMode& mode) {
  return mode.name.empty() ? "mode " + std::to_string(mode.id) : mode.name;
}

std::optional<int> parse_power_mode_status(std::string_view text) {
  constexpr std::string_view key = "pmode:";
  if (text.substr(0, key.size()) != key) return std::nullopt;
  return leading_number(text.substr(key.size()));
}

std::map<int, std::string> parse_power_mode_names(std::string_view conf) {
  std::map<int, std::string> names;
  while (!conf.empty()) {
    const std::size_t end = std::min(conf.find('\n'), conf.size());
    const std::string_view line = trimmed(conf.substr(0, end));
    conf.remove_prefix(std::min(end + 1, conf.size()));
    if (line.empty() || line.front() != '<' || line.find("POWER_MODEL ") == std::string_view::npos) continue;
    const auto id = leading_number(field(line, " ID="));
    const std::string_view name = field(line, " NAME=");
    if (id && !name.empty()) names.emplace(*id, name);
  }
  return names;
}

std::optional<int> read_power_mode_id(const Attributes& board) {
  const auto status = board.read("/var/lib/nvpmodel/status");
  return status ? parse_power_mode_status(*status) : std::nullopt;
}

std::optional<PowerMode> read_power_mode(const Attributes& board) {
  const auto id = read_power_mode_id(board);
  if (!id) return std::nullopt;
  return read_power_mode(board, *id);
}

PowerMode read_power_mode(const Attributes& board, int id) {
  PowerMode mode{.id = id, .name = {}};
  if (const auto conf = board.read("/etc/nvpmodel.conf")) {
    const auto names = parse_power_mode_names(*conf);
    if (const auto found = names.find(id); found != names.end()) mode.name = found->second;
  }
  return mode;
}

}  // namespace sweetspot
