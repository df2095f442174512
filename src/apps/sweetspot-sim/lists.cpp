// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot-sim/lists.hpp"

#include <algorithm>
#include <vector>

#include "apps/sweetspot-sim/json_lines.hpp"
#include "sweetspot/core/frequency_text.hpp"
#include "sweetspot/core/number_text.hpp"
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

// How far the numbers of a workload can be trusted.
std::string energy_kind(const Workload& work) {
  return work.curve ? "published" : "model";
}

std::string json_of(const BoardMode& mode) {
  return json_object({{"id", std::to_string(mode.id)},
                      {"name", json_string(mode.name)},
                      {"gpu_cap_hz", mode.gpu_cap_hz == 0 ? "null" : std::to_string(mode.gpu_cap_hz)}});
}

std::string json_of(const Board& board) {
  std::vector<std::string> clocks;
  for (const Hertz clock : board.gpu.node.clocks) clocks.push_back(std::to_string(clock.value));
  std::vector<std::string> modes;
  for (const auto& mode : board.modes) modes.push_back(json_of(mode));
  std::vector<std::string> rails;
  for (const auto& monitor : board.monitors) {
    for (const auto& channel : monitor.channels) {
      if (!channel.label.empty() && channel.label != "NC") rails.push_back(json_string(channel.label));
    }
  }
  return json_object({{"id", json_string(board.id)},
                      {"board", json_string(board.summary)},
                      {"gpu_node", json_string(board.gpu.node.name)},
                      {"clocks_hz", json_array(clocks)},
                      {"power_modes", json_array(modes)},
                      {"rails", json_array(rails)}});
}

std::string curve_json(const Workload& work) {
  if (!work.curve) return "null";
  std::vector<std::string> points;
  for (const auto& point : work.curve->points) {
    points.push_back(json_object({{"clock_mhz", number_text(point.mhz)}, {"energy_j", number_text(point.joules)}}));
  }
  return json_object({{"pinned", json_array(points)}, {"maxn_energy_j", number_text(work.curve->maxn_joules)}});
}

std::string json_of(const Workload& work) {
  return json_object({{"id", json_string(work.id)},
                      {"layers", std::to_string(work.layers)},
                      {"hidden_size", std::to_string(work.hidden_size)},
                      {"mean_sequence_length", number_text(work.mean_sequence_length)},
                      {"batch_size", std::to_string(work.batch_size)},
                      {"total_steps", whole(work.total_steps)},
                      {"energy", json_string(energy_kind(work))},
                      {"published_curve", curve_json(work)},
                      {"assumed_gpu_load", work.curve ? number_text(work.demand.load) : "null"},
                      {"source", json_string(work.source)}});
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
  std::vector<std::string> list;
  for (const auto& board : boards()) list.push_back(json_of(board));
  return json_document(list);
}

std::string workload_list() {
  std::vector<Row> rows{{"ID", "LAYERS", "HIDDEN", "SEQ", "BATCH", "STEPS", "ENERGY", "SOURCE"}};
  for (const auto& work : workloads()) {
    rows.push_back({work.id, std::to_string(work.layers), std::to_string(work.hidden_size),
                    whole(work.mean_sequence_length), std::to_string(work.batch_size), whole(work.total_steps),
                    energy_kind(work), work.source});
  }
  return aligned(rows);
}

std::string workload_list_json() {
  std::vector<std::string> list;
  for (const auto& work : workloads()) list.push_back(json_of(work));
  return json_document(list);
}

}  // namespace sweetspot
