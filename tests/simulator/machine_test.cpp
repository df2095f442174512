// SPDX-License-Identifier: Apache-2.0
#include "simulator/machine.hpp"

#include <gtest/gtest.h>

#include "simulator/moments.hpp"

namespace sweetspot {
namespace {

using tests::ms;

class MachineTest : public testing::Test {
 protected:
  std::string text(const std::string& path) {
    const NodeId id = board.tree().resolve(path);
    if (id == 0) return "<missing>";
    const auto shown = board.show(id, {});
    if (!shown) return "<errno " + std::to_string(shown.error()) + ">";
    return shown->substr(0, shown->find('\n'));
  }
  std::string gpu(const std::string& file) { return text("/sys/class/devfreq/17000000.gpu/" + file); }
  int write(const std::string& file, const std::string& value) {
    return board.store(board.tree().resolve("/sys/class/devfreq/17000000.gpu/" + file), value,
                       {.id = 0, .program = "test"});
  }
  void control(const std::string& line) {
    const auto done = board.control(line, {});
    ASSERT_TRUE(done) << done.error().message;
  }
  void pass(Duration time) {
    now += time;
    board.advance(now);
  }

  Instant now{};
  Machine board{*find_board("agx-orin-64-jp6"), {}, Instant{}};
};

using BoardFaults = MachineTest;

TEST_F(BoardFaults, AFailingWriteLeavesTheLimitsAlone) {
  control("write-error min_freq EBUSY count=1");
  EXPECT_EQ(write("min_freq", "510000000"), EBUSY);
  EXPECT_EQ(gpu("min_freq"), "306000000");
  EXPECT_EQ(write("min_freq", "510000000"), 0);
}

TEST_F(BoardFaults, AReadErrorLastsUntilCleared) {
  control("read-error cur_freq EIO");
  EXPECT_EQ(gpu("cur_freq"), "<errno 5>");
  EXPECT_EQ(gpu("cur_freq"), "<errno 5>");
  control("clear cur_freq");
  EXPECT_EQ(gpu("cur_freq"), "306000000");
}

TEST_F(BoardFaults, ABlockedFileHoldsAccessesUntilItsTime) {
  control("block sys/class/devfreq/17000000.gpu/max_freq write 30");
  const NodeId id = board.tree().resolve("/sys/class/devfreq/17000000.gpu/max_freq");
  EXPECT_EQ(board.held_until(id, AccessKind::write), now + std::chrono::seconds(30));
  EXPECT_FALSE(board.held_until(id, AccessKind::read));
  pass(std::chrono::seconds(31));
  EXPECT_FALSE(board.held_until(id, AccessKind::write));
}

TEST_F(BoardFaults, AVanishedGpuAnswersNoDeviceAndIsBackWithDefaults) {
  ASSERT_EQ(write("max_freq", "612000000"), 0);
  const NodeId open = board.tree().resolve("/sys/class/devfreq/17000000.gpu/max_freq");
  control("gpu vanish for=2");
  EXPECT_EQ(gpu("max_freq"), "<missing>");
  EXPECT_EQ(text("/sys/devices/platform/gpu.0/load"), "<missing>");
  EXPECT_EQ(board.show(open, {}).error(), ENODEV);
  pass(ms(2001));
  EXPECT_EQ(gpu("max_freq"), "1300500000");
  EXPECT_EQ(board.show(open, {}).error(), ENODEV);
}

TEST_F(BoardFaults, AThermalCapShowsInLimitsAndCoolingDeviceAndGoesStepByStep) {
  control("thermal cap 816000000 state=5");
  EXPECT_EQ(gpu("max_freq"), "816000000");
  EXPECT_EQ(text("/sys/class/thermal/cooling_device1/cur_state"), "5");
  control("thermal clear steps=3 every=1");
  EXPECT_EQ(gpu("max_freq"), "918000000");
  pass(ms(1001));
  EXPECT_EQ(gpu("max_freq"), "1020000000");
  pass(ms(1001));
  EXPECT_EQ(gpu("max_freq"), "1300500000");
  EXPECT_EQ(text("/sys/class/thermal/cooling_device1/cur_state"), "0");
}

TEST_F(BoardFaults, ARivalWritesAgainAndAgainUntilStopped) {
  control("rival min=306000000 max=1020000000 every=1");
  EXPECT_EQ(gpu("max_freq"), "1020000000");
  ASSERT_EQ(write("max_freq", "612000000"), 0);
  pass(ms(1001));
  EXPECT_EQ(gpu("max_freq"), "1020000000");
  control("rival stop");
  ASSERT_EQ(write("max_freq", "612000000"), 0);
  pass(ms(5000));
  EXPECT_EQ(gpu("max_freq"), "612000000");
}

TEST_F(BoardFaults, ARivalWithACountStopsByItself) {
  control("rival max=408000000 every=1 count=2");
  pass(ms(1500));
  ASSERT_EQ(write("max_freq", "0"), 0);
  pass(ms(5000));
  EXPECT_EQ(gpu("max_freq"), "1300500000");
}

TEST_F(BoardFaults, APowerModeWritesMinZeroThenItsCap) {
  ASSERT_EQ(write("min_freq", "918000000"), 0);
  control("writes clear");
  control("power-mode 2");
  EXPECT_EQ(gpu("min_freq"), "306000000");
  EXPECT_EQ(gpu("max_freq"), "612000000");
  EXPECT_EQ(text("/var/lib/nvpmodel/status"), "pmode:0002");
  EXPECT_EQ(text("/sys/devices/platform/17000000.gpu/tpc_pg_mask"), "240");
  const std::string node = "/sys/devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu/";
  EXPECT_EQ(board.ledger().writes_text(),
            node + "min_freq 0 ok nvpmodel\n" + node + "max_freq 612000000 ok nvpmodel\n");
}

TEST_F(BoardFaults, AStuckSensorKeepsItsValueWhileOthersMove) {
  pass(ms(100));
  control("sensor stuck VDD_GPU_SOC");
  const std::string folder = "/sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/";
  const std::string before = text(folder + "curr1_input");
  board.plant().background(*find_workload("bert-large/qnli"));
  pass(ms(1000));
  EXPECT_EQ(text(folder + "curr1_input"), before);
  control("sensor clear VDD_GPU_SOC");
  EXPECT_GT(std::stoi(text(folder + "curr1_input")), std::stoi(before) + 500);
}

TEST_F(BoardFaults, ASensorErrorIsThatOfOneRail) {
  control("sensor error VDD_CPU_CV ETIMEDOUT");
  const std::string folder = "/sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon3/";
  EXPECT_EQ(text(folder + "curr2_input"), "<errno " + std::to_string(ETIMEDOUT) + ">");
  EXPECT_EQ(text(folder + "in3_input"), "4968");
}

TEST_F(BoardFaults, RenumberingExchangesTheNumbersOfTheChips) {
  const NodeId open = board.tree().resolve("/sys/class/hwmon/hwmon3/in1_input");
  control("hwmon renumber");
  EXPECT_EQ(text("/sys/bus/i2c/drivers/ina3221/1-0040/hwmon/hwmon4/in1_label"), "VDD_GPU_SOC");
  EXPECT_EQ(text("/sys/class/hwmon/hwmon3/in2_label"), "VDDQ_VDD2_1V8AO");
  EXPECT_EQ(board.show(open, {}).error(), ENODEV);
}

TEST_F(BoardFaults, AnOverCurrentEventIsCounted) {
  control("oc 2 count=3");
  EXPECT_EQ(text("/sys/class/hwmon/hwmon5/oc2_event_cnt"), "3");
  EXPECT_EQ(text("/sys/class/hwmon/hwmon5/oc1_event_cnt"), "0");
}

TEST_F(BoardFaults, TheKernelsRulesCanBeChanged) {
  ASSERT_EQ(write("max_freq", "510000000"), 0);
  control("kernel 4.9");
  EXPECT_EQ(write("min_freq", "918000000"), EINVAL);
  control("kernel 5.10");
  EXPECT_EQ(write("min_freq", "918000000"), 0);
}

TEST_F(BoardFaults, ASetFileReadsThatTextUntilCleared) {
  control("set load 123 456");
  EXPECT_EQ(text("/sys/devices/platform/gpu.0/load"), "123 456");
  control("clear all");
  EXPECT_EQ(text("/sys/devices/platform/gpu.0/load"), "0");
}

TEST_F(BoardFaults, SomebodyChangesTheGovernor) {
  control("governor userspace");
  EXPECT_EQ(gpu("governor"), "userspace");
  EXPECT_EQ(gpu("userspace/set_freq"), "undefined");
  ASSERT_EQ(write("governor", "nvhost_podgov\n"), 0);
  EXPECT_EQ(gpu("userspace/set_freq"), "<missing>");
}

using Control = MachineTest;

TEST_F(Control, ARefusedLineIsExplainedWhenTheFileIsRead) {
  EXPECT_FALSE(board.control("write-error min_freq", {}));
  EXPECT_NE(text("/control").find("expected `write-error FILE ERRNO [count=N]`"), std::string::npos);
}

TEST_F(Control, EveryKindOfNonsenseIsRefused) {
  for (const auto* line : {"",
                           "nonsense",
                           "block min_freq sometimes 3",
                           "block min_freq read soon",
                           "read-error load EWHAT",
                           "sensor stuck VDD_NOTHING",
                           "power-mode 9",
                           "power-mode x",
                           "oc 4",
                           "kernel 3.10",
                           "rival",
                           "rival min=1 every=x",
                           "kill-at 0 before",
                           "kill-at 1 during",
                           "load start nothing",
                           "load start idle",
                           "load start bert-base/sst2 steps=-1",
                           "thermal cap warm",
                           "governor nope",
                           "gpu explode",
                           "gpu vanish for=ever",
                           "hwmon renumber now"}) {
    EXPECT_FALSE(board.control(line, {})) << line;
  }
}

TEST_F(Control, ALoadEndsWhenItsFileIsClosed) {
  const Opening trainer{.id = 7, .program = "trainer"};
  ASSERT_TRUE(board.control("load start bert-large/qnli", trainer));
  pass(ms(100));
  EXPECT_GT(std::stoi(text("/sys/devices/platform/gpu.0/load")), 900);
  board.closed(trainer);
  EXPECT_EQ(text("/sys/devices/platform/gpu.0/load"), "0");
}

TEST_F(Control, ALoadWithStepsTellsWhenItIsDone) {
  const Opening trainer{.id = 7, .program = "trainer"};
  ASSERT_TRUE(board.control("load start bert-base/sst2 steps=3", trainer));
  const auto answer = [&] { return *board.show(board.tree().resolve("/control"), trainer); };
  EXPECT_EQ(answer(), "0.000000 3.000000 running\n");
  pass(std::chrono::seconds(60));
  EXPECT_EQ(answer(), "3.000000 3.000000 done\n");
}

TEST(ControlGrammar, NamesEveryVerbThatIsUnderstood) {
  const std::string grammar = control_grammar();
  for (const auto* words :
       {"load start", "write-error", "read-error",   "block",        "slow",           "set",         "clear",
        "gpu vanish", "gpu appear",  "clock stuck",  "governor",     "kernel",         "thermal cap", "thermal clear",
        "rival",      "power-mode",  "sensor stuck", "sensor error", "hwmon renumber", "oc",          "kill-at"}) {
    EXPECT_NE(grammar.find("\n  " + std::string(words) + " "), std::string::npos) << words;
  }
}

TEST(AccessLedger, CarriesOutAKillOrderOnceAtTheNthAccessOfThatProgram) {
  AccessLedger ledger;
  ledger.order({.nth = 2, .fate = Fate::dies_after, .program = "victim"});
  EXPECT_EQ(ledger.count("victim"), Fate::lives);
  EXPECT_EQ(ledger.count("other"), Fate::lives);
  EXPECT_EQ(ledger.count("victim"), Fate::dies_after);
  EXPECT_EQ(ledger.count("victim"), Fate::lives);
  EXPECT_EQ(ledger.accesses_text(), "other 1\nvictim 3\n");
}

TEST(AccessLedger, WritesOneLineWhateverWasWritten) {
  AccessLedger ledger;
  ledger.wrote({"/sys/a", "1 2\\\n", EINVAL, "x"});
  ledger.wrote({"/sys/a", "\n", 0, "x"});
  EXPECT_EQ(ledger.writes_text(), "/sys/a 1\\x202\\x5c EINVAL x\n/sys/a \\x ok x\n");
}

}  // namespace
}  // namespace sweetspot
