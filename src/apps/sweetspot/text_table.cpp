// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/text_table.hpp"

#include <algorithm>
#include <cmath>

#include "sweetspot/core/number_text.hpp"

namespace sweetspot {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - width_of(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (i < left_ ? row[i] + blanks : blanks + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string share_text(const std::optional<double>& share) {
  if (!share) return "-";
  const double percent = std::round(*share * 1000) / 10;
  return fixed_text(percent == 0 ? 0 : percent, 1) + " %";  // no "-0.0"
}

}  // namespace sweetspot
