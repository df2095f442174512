// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-sim/lists.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/simulator/board.hpp"
#include "sweetspot/simulator/workload.hpp"

namespace sweetspot {

namespace {

using Row = std::vector<std::string>;

// Columns as wide as their longest cell; numbers are given already as text.
std::string aligned(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text += std::string(widths[i] - row[i].size() + 2, ' ');
    }
    text += "\n";
  }
  return text;
}

std::string whole(double value) {
  return std::to_string(static_cast<long long>(value));
}

}  // namespace

std::string board_list() {
  std::vector<Row> rows{{"ID", "GPU NODE", "CLOCKS", "BOARD"}};
  for (const auto& board : boards()) {
    const auto& clocks = board.gpu.node.clocks;
    rows.push_back({board.id, board.gpu.node.name,
                    std::to_string(clocks.size()) + ": " + to_text(clocks.front()) + " to " + to_text(clocks.back()),
                    board.summary});
  }
  return aligned(rows);
}

std::string board_list_json() {
  auto list = nlohmann::json::array();
  for (const auto& board : boards()) {
    nlohmann::json clocks = nlohmann::json::array();
    for (const Hertz clock : board.gpu.node.clocks) clocks.push_back(clock.value);
    nlohmann::json modes = nlohmann::json::array();
    for (const auto& mode : board.modes) {
      nlohmann::json cap;
      if (mode.gpu_cap_hz != 0) cap = mode.gpu_cap_hz;
      modes.push_back({{"id", mode.id}, {"name", mode.name}, {"gpu_cap_hz", cap}});
    }
    nlohmann::json rails = nlohmann::json::array();
    for (const auto& monitor : board.monitors) {
      for (const auto& channel : monitor.channels) {
        if (!channel.label.empty() && channel.label != "NC") rails.push_back(channel.label);
      }
    }
    list.push_back({{"id", board.id},
                    {"board", board.summary},
                    {"gpu_node", board.gpu.node.name},
                    {"clocks_hz", clocks},
                    {"power_modes", modes},
                    {"rails", rails}});
  }
  return list.dump(2) + "\n";
}

std::string workload_list() {
  std::vector<Row> rows{{"ID", "LAYERS", "HIDDEN", "SEQ", "BATCH", "STEPS", "KIND", "SOURCE"}};
  for (const auto& work : workloads()) {
    rows.push_back({work.id, std::to_string(work.layers), std::to_string(work.hidden_size),
                    whole(work.mean_sequence_length), std::to_string(work.batch_size), whole(work.total_steps),
                    work.curve ? "measured" : "model", work.source});
  }
  return aligned(rows);
}

std::string workload_list_json() {
  auto list = nlohmann::json::array();
  for (const auto& work : workloads()) {
    list.push_back({{"id", work.id},
                    {"layers", work.layers},
                    {"hidden_size", work.hidden_size},
                    {"mean_sequence_length", work.mean_sequence_length},
                    {"batch_size", work.batch_size},
                    {"total_steps", work.total_steps},
                    {"kind", work.curve ? "measured" : "model"},
                    {"source", work.source}});
  }
  return list.dump(2) + "\n";
}

}  // namespace sweetspot
