// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/sweetspot/program.hpp"
#include "sweetspot/platform/board_recorder.hpp"

namespace sweetspot {

/// `sweetspot record-board`: writes an anonymised copy of the board's files, which is a test fixture and a board for
/// sweetspot-sim. Asks no daemon and changes nothing on the board.
class RecordBoardCommand {
 public:
  explicit RecordBoardCommand(Program& program);

 private:
  [[nodiscard]] int run();

  Program& program_;
  std::string sysfs_root_;
  std::string output_;
  bool force_ = false;
};

/// The recording as a tar archive: one folder with tree.txt and expected.txt, as tests/data has them, and the files
/// themselves below it for --sysfs-root.
[[nodiscard]] std::string recording_archive(const RecordedBoard& board, const std::string& comment);

/// What was written, in words; ends with what to do before sending it.
[[nodiscard]] std::string recording_summary(const RecordedBoard& board, const std::string& file);

}  // namespace sweetspot
