// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/board_identity.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sweetspot {
namespace {

constexpr std::string_view vendor = "nvidia,";

/// L4T release → JetPack, as in jetson_stats (jtop/core/jetson_variables.py).
constexpr std::array<std::pair<std::string_view, std::string_view>, 36> jetpacks{{
    {"32.4.3", "4.4"},    {"32.5.0", "4.5"},      {"32.5.1", "4.5.1"},  {"32.6.1", "4.6"},    {"32.7.1", "4.6.1"},
    {"32.7.2", "4.6.2"},  {"32.7.3", "4.6.3"},    {"32.7.4", "4.6.4"},  {"32.7.5", "4.6.5"},  {"32.7.6", "4.6.6"},
    {"34.1.0", "5.0 DP"}, {"34.1.1", "5.0.1 DP"}, {"35.1.0", "5.0.2"},  {"35.2.1", "5.1"},    {"35.3.1", "5.1.1"},
    {"35.4.1", "5.1.2"},  {"35.5.0", "5.1.3"},    {"35.6.0", "5.1.4"},  {"35.6.1", "5.1.5"},  {"35.6.2", "5.1.5"},
    {"35.6.3", "5.1.5"},  {"35.6.4", "5.1.6"},    {"36.2.0", "6.0 DP"}, {"36.3.0", "6.0"},    {"36.4.0", "6.1"},
    {"36.4.3", "6.2"},    {"36.4.4", "6.2.1"},    {"36.4.7", "6.2.1"},  {"36.5.0", "6.2.2"},  {"38.2.0", "7.0"},
    {"38.2.1", "7.0"},    {"38.2.2", "7.0"},      {"38.4.0", "7.1"},    {"39.0.0", "7.2 EA"}, {"39.2.0", "7.2"},
    {"39.2.1", "7.2.1"},
}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Device tree texts end with NUL; lists are separated by it.
std::vector<std::string> nul_separated(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string_view digits_and_dots(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && (is_digit(text[length]) || text[length] == '.')) ++length;
  return text.substr(0, length);
}

}  // namespace

std::string l4t_release(std::string_view release_file) {
  constexpr std::string_view start = "# R";
  constexpr std::string_view revision = "REVISION: ";
  if (release_file.substr(0, start.size()) != start) return {};
  const std::string_view line = release_file.substr(0, release_file.find('\n'));
  const std::string_view major = digits_and_dots(line.substr(start.size()));
  const std::size_t at = line.find(revision);
  if (major.empty() || at == std::string_view::npos) return {};
  const std::string_view minor = digits_and_dots(line.substr(at + revision.size()));
  if (minor.empty()) return {};
  return std::string(major) + "." + std::string(minor);
}

std::string jetpack_of(std::string_view l4t) {
  for (const auto& [release, jetpack] : jetpacks) {
    if (release == l4t) return std::string(jetpack);
  }
  return {};
}

BoardIdentity identify_board(const Attributes& board) {
  std::string tree = "/sys/firmware/devicetree/base/";
  if (!board.exists(tree + "compatible")) tree = "/proc/device-tree/";
  BoardIdentity identity;
  if (const auto model = board.read(tree + "model")) {
    const auto parts = nul_separated(*model);
    if (!parts.empty()) identity.model = parts.front();
  }
  if (const auto compatible = board.read(tree + "compatible")) identity.compatible = nul_separated(*compatible);
  for (const std::string& entry : identity.compatible) {
    if (entry.compare(0, vendor.size(), vendor) != 0) continue;
    const std::string name = entry.substr(vendor.size());
    if (identity.id.empty()) identity.id = name;
    if (name.compare(0, 5, "tegra") == 0 && name.size() > 5 && std::all_of(name.begin() + 5, name.end(), is_digit)) {
      identity.soc = name;
    }
  }
  identity.is_thor = identity.soc == "tegra264";
  if (const auto release = board.read("/etc/nv_tegra_release")) identity.l4t = l4t_release(*release);
  identity.jetpack = jetpack_of(identity.l4t);
  return identity;
}

}  // namespace sweetspot
