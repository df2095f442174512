// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "simulator/child.hpp"
#include "support/simulated_board.hpp"

namespace sweetspot {
namespace {

double counted(const nlohmann::json& joules) {
  return joules.at("VDD_GPU_SOC").get<double>() + joules.at("VDD_CPU_CV").get<double>();
}

std::vector<std::string> train(const SimulatedBoard& board, const std::string& workload, const std::string& steps) {
  return {SimulatedBoard::program(), "train", "--sysfs-root", board.root(), "--workload", workload, "--steps", steps};
}

TEST(Training, CostsThePublishedEnergyOfTheWholeJobAtAPinnedClock) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6", {"--time-scale", "2000"});
  ASSERT_EQ(board.write(board.gpu("min_freq"), "612000000"), 0);
  ASSERT_EQ(board.write(board.gpu("max_freq"), "612000000"), 0);
  ASSERT_EQ(run_child(train(board, "deberta-v2-xlarge/sst2", "4209")).status, 0);
  const auto load = board.truth().at("loads").at(0);
  EXPECT_EQ(load.at("steps").get<double>(), 4209);
  EXPECT_NEAR(counted(load.at("energy_j")) * 2000 / 41044.05, 1, 0.01);
}

// What a meter sees that multiplies voltage and current and integrates over its own timestamps.
TEST(Training, ReadThroughTheSensorsCostsWhatItReallyCosts) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6", {"--workload", "deberta-v2-xlarge/sst2"});
  const std::string chip = "sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/";
  const auto watts = [&](const std::string& n) {
    return std::stod(board.read(chip + "in" + n + "_input")) * std::stod(board.read(chip + "curr" + n + "_input")) /
           1e6;
  };
  const auto begin = board.truth();
  double joules = 0;
  double last_watts = watts("1") + watts("2");
  auto last = std::chrono::steady_clock::now();
  for (int i = 0; i < 400; ++i) {
    poll(nullptr, 0, 7);  // a new conversion, not a wait for something
    const double now_watts = watts("1") + watts("2");
    const auto now = std::chrono::steady_clock::now();
    joules += (now_watts + last_watts) / 2 * std::chrono::duration<double>(now - last).count();
    last_watts = now_watts;
    last = now;
  }
  const double truth = counted(board.truth().at("energy_j")) - counted(begin.at("energy_j"));
  EXPECT_NEAR(joules / truth, 1, 0.02);
}

TEST(Training, EndsItsLoadWhenItIsKilled) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board;
  const pid_t trainer = fork();
  if (trainer == 0) {
    auto words = train(board, "bert-large/qnli", "1000000");
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  const auto load_becomes = [&](bool busy) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
      if ((std::stoi(board.read("sys/devices/platform/gpu.0/load")) > 500) == busy) return true;
      poll(nullptr, 0, 5);
    }
    return false;
  };
  EXPECT_TRUE(load_becomes(true));
  kill(trainer, SIGKILL);
  waitpid(trainer, nullptr, 0);
  EXPECT_TRUE(load_becomes(false));
  EXPECT_FALSE(board.truth().at("loads").at(0).at("running").get<bool>());
}

TEST(Training, TellsItsProgressUpToTheLastStep) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6", {"--time-scale", "100"});
  auto words = train(board, "bert-base/sst2", "50");
  words.emplace_back("--progress");
  const Ending ending = run_child(words);
  EXPECT_EQ(ending.status, 0);
  EXPECT_EQ(ending.output.substr(ending.output.size() - 6), "50/50\n");
}

TEST(Training, SaysWhenThereIsNoBoardOrNoSuchWorkload) {
  const Ending no_board =
      run_child({SimulatedBoard::program(), "train", "--sysfs-root", "/nonexistent", "--workload", "bert-base/sst2"});
  EXPECT_EQ(no_board.status, 1);
  EXPECT_NE(no_board.output.find("/nonexistent/control"), std::string::npos);
  EXPECT_EQ(run_child({SimulatedBoard::program(), "train", "--sysfs-root", "/", "--workload", "no/such"}).status, 2);
}

TEST(Lists, BoardsAndWorkloadsAreValidJson) {
  const auto boards = nlohmann::json::parse(run_child({SimulatedBoard::program(), "boards", "--json"}).output);
  EXPECT_EQ(boards.size(), 9U);
  const auto workloads = nlohmann::json::parse(run_child({SimulatedBoard::program(), "workloads", "--json"}).output);
  EXPECT_EQ(workloads.at(0).at("id"), "deberta-v2-xlarge/sst2");
  EXPECT_EQ(workloads.at(0).at("total_steps"), 4209);
}

}  // namespace
}  // namespace sweetspot
