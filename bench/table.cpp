// SPDX-License-Identifier: Apache-2.0
#include "bench/table.hpp"

#include <cstdio>

namespace sweetspot::bench {
namespace {

std::string number(double value, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string figure(double value) {
  return number(value, value < 10 ? 2 : value < 1000 ? 1 : 0);
}

double judged(const Row& row) {
  return row.bare ? row.daemon / *row.bare : row.daemon;
}

std::string line(const std::vector<std::string>& cells) {
  constexpr int widths[] = {-60, 8, 8, 4, 6, 6, 7};
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    char cell[64];
    std::snprintf(cell, sizeof cell, "%*s  ", widths[i], cells[i].c_str());
    text += cell;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string line_of(const Row& row) {
  const std::string verdict = !row.aim ? "" : judged(row) <= *row.aim ? "yes" : "NO";
  return line({row.what, figure(row.daemon), row.bare ? figure(*row.bare) : "", row.unit,
               row.bare ? number(judged(row), 2) : "", row.aim ? "<= " + number(*row.aim, *row.aim < 10 ? 1 : 0) : "",
               verdict});
}

}  // namespace

std::string table_of(const std::vector<Row>& rows) {
  std::string text = line({"", "daemon", "bare", "unit", "ratio", "aim", "reached"});
  int aims = 0;
  int reached = 0;
  for (const Row& row : rows) {
    text += line_of(row);
    if (!row.aim) continue;
    ++aims;
    if (judged(row) <= *row.aim) ++reached;
  }
  return text + std::to_string(reached) + " of " + std::to_string(aims) + " aims reached\n";
}

}  // namespace sweetspot::bench
