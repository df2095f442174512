// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <cstring>

#include "simulator/recorded_answers.hpp"
#include "support/simulated_board.hpp"

namespace sweetspot {
namespace {

// The driver follows within 30 ms; until then cur_freq lags behind target_freq.
void wait_for_clock(const SimulatedBoard& board) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (board.read(board.gpu("cur_freq")) != board.read(board.gpu("target_freq"))) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "cur_freq never followed";
    poll(nullptr, 0, 2);
  }
}

std::string state(const SimulatedBoard& board) {
  return "min=" + board.read(board.gpu("min_freq")) + " max=" + board.read(board.gpu("max_freq")) +
         " cur=" + board.read(board.gpu("cur_freq"));
}

std::string expected_state(const RecordedAnswer& answer) {
  return "min=" + std::to_string(answer.min) + " max=" + std::to_string(answer.max) +
         " cur=" + std::to_string(answer.cur);
}

TEST(RecordedKernel, AnswersOfALiveKernelAreTheBoardsAnswers) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6");
  ASSERT_EQ(board.write("sys/devices/platform/gpu.0/railgate_enable", "0\n"), 0);
  const auto answers = recorded_answers();
  ASSERT_EQ(answers.size(), 76U);
  for (const auto& answer : answers) {
    if (answer.first) {
      ASSERT_EQ(board.write(board.gpu("min_freq"), "0\n"), 0);
      ASSERT_EQ(board.write(board.gpu("max_freq"), "0\n"), 0);
      ASSERT_EQ(board.write(board.gpu("governor"), answer.governor + "\n"), 0);
    }
    SCOPED_TRACE(answer.governor + ": " + answer.file + " <- '" + answer.value + "'");
    const int code = board.write(board.gpu(answer.file), answer.value);
    EXPECT_EQ(code == 0 ? "ok" : std::strerror(code), answer.error);
    wait_for_clock(board);
    EXPECT_EQ(state(board), expected_state(answer));
  }
}

}  // namespace
}  // namespace sweetspot
