// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/board.hpp"

namespace sweetspot {

Result<Board> find_board(std::string_view id) {
  std::string known;
  for (auto& board : boards()) {
    if (board.id == id) return board;
    known += (known.empty() ? "" : ", ") + board.id;
  }
  return failure("unknown board '" + std::string(id) + "'; expected one of " + known);
}

}  // namespace sweetspot
