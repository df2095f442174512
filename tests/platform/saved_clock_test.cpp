// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/saved_clock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/platform/gpu_clock_fixture.hpp"

namespace sweetspot::tests {
namespace {

SavedClock example() {
  return SavedClock{.boot_id = "boot-1",
                    .node = MemoryAttributes::node,
                    .found = {mhz(306), mhz(816)},
                    .last_target = mhz(612),
                    .next_target = std::nullopt,
                    .power_mode = 3,
                    .style = PinStyle::cap,
                    .governor = "nvhost_podgov"};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SavedClock, ReadsBackAsItWasWritten) {
  EXPECT_EQ(parse_saved_clock(format_saved_clock(example())).value(), example());
  SavedClock bare = example();
  bare.last_target.reset();
  bare.next_target = mhz(408);
  bare.power_mode.reset();
  bare.style = PinStyle::exact;
  EXPECT_EQ(parse_saved_clock(format_saved_clock(bare)).value(), bare);
}

TEST(SavedClock, RefusesEveryTruncation) {
  const std::string text = format_saved_clock(example());
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_saved_clock(text.substr(0, length))) << length;
  }
}

TEST(SavedClock, RefusesHostileTexts) {
  const std::string good = format_saved_clock(example());
  const std::string node = "node=" + MemoryAttributes::node;
  for (const std::string& text : {
           replaced(good, "found_min_hz=306000000", "found_min_hz=0"),
           replaced(good, "found_min_hz=306000000", "found_min_hz=-1"),
           replaced(good, "found_max_hz=816000000", "found_max_hz=9223372036854775807"),
           replaced(good, "found_max_hz=816000000", "found_max_hz=816000000 1"),
           replaced(good, "last_target_hz=612000000", "last_target_hz=0x1E65FB80"),
           replaced(good, "power_mode=3", "power_mode=-3"),
           replaced(good, "power_mode=3", "power_mode=99999999999"),
           replaced(good, "pin_style=cap", "pin_style=EXACT"),
           replaced(good, "pin_style=cap", "pin_style=cap\npin_style=cap"),
           replaced(good, "boot_id=boot-1", "boot_id="),
           replaced(good, node, "node=/etc/passwd"),
           replaced(good, node, "node=/sys/devices/../../etc/devfreq/x"),
           replaced(good, node, "node=/sys/devices/devfreq/x/../../../kernel"),
           replaced(good, node, "node=/sys/devices//devfreq/x"),
           replaced(good, node, "node=/sys/devices/x/devfreq/"),
           replaced(good, node, "node="),
           good + "colour=blue\n",
           good + "\n",
           good + std::string("\0\n", 2),
           good + std::string(5000, 'x') + "\n",
           std::string("\xff\xfe\n"),
       }) {
    EXPECT_FALSE(parse_saved_clock(text)) << text;
  }
}

TEST(SavedClockStore, KeepsTheLastTextUnderItsNameInAPrivateFolder) {
  TemporaryFolder folder;
  const SavedClockStore store(folder.path() + "/run", "boot-1");
  EXPECT_EQ(store.load().value(), std::nullopt);
  SavedClock saved = example();
  ASSERT_TRUE(store.save(saved));
  saved.next_target = mhz(714);
  ASSERT_TRUE(store.save(saved));
  EXPECT_EQ(store.load().value(), saved);
  struct stat status {};
  ASSERT_EQ(::stat((folder.path() + "/run").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  ASSERT_TRUE(store.remove());
  EXPECT_EQ(store.load().value(), std::nullopt);
}

TEST(SavedClockStore, DoesNotSeeAFileOfAnotherBoot) {
  TemporaryFolder folder;
  ASSERT_TRUE(SavedClockStore(folder.path(), "boot-1").save(example()));
  EXPECT_EQ(SavedClockStore(folder.path(), "boot-2").load().value(), std::nullopt);
}

TEST(SavedClockStore, KnowsTheKernelsBootId) {
  TemporaryFolder folder;
  EXPECT_EQ(SavedClockStore(folder.path()).boot_id().size(), 36U);
}

class RestoreSavedClock : public ::testing::Test {
 protected:
  void leave_behind(const std::string& text) {
    ASSERT_TRUE(at.store.save(example()));
    std::ofstream(at.store.runtime_dir() + "/saved-clock") << text;
  }
  PinnedBoard at{DevfreqKernel::v5_10};
};

TEST_F(RestoreSavedClock, SaysThatThereIsNothingToRestore) {
  const ReleaseReport report = restore_saved_clock(at.board, at.store).value();
  EXPECT_TRUE(report.complete);
  EXPECT_THAT(report.notes, ::testing::ElementsAre("no clock of this boot is saved: nothing to restore"));
}

TEST_F(RestoreSavedClock, RestoresWhatADeadProcessLeftAndIsIdempotent) {
  ASSERT_TRUE(at.clock().pin(mhz(816), PinStyle::exact, at.now));
  EXPECT_THAT(restore_saved_clock(at.board, at.store).value().notes,
              ::testing::ElementsAre("max_freq restored to 1300.5 MHz", "min_freq restored to 306 MHz"));
  EXPECT_EQ(at.shown(), (ClockLimits{mhz(306), Hertz{MemoryAttributes::highest}}));
  at.board.forget_writes();
  EXPECT_TRUE(restore_saved_clock(at.board, at.store).value().complete);
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_F(RestoreSavedClock, WritesNothingForAFileItCannotRead) {
  leave_behind("garbage");
  const auto report = restore_saved_clock(at.board, at.store);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().message,
            at.store.runtime_dir() + "/saved-clock: not a saved clock: the last line is not complete");
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_F(RestoreSavedClock, WritesNothingForClocksThisNodeCannotHaveHad) {
  leave_behind(replaced(format_saved_clock(example()), "last_target_hz=612000000", "last_target_hz=613000000"));
  EXPECT_FALSE(restore_saved_clock(at.board, at.store));
  leave_behind(replaced(format_saved_clock(example()), "found_max_hz=816000000", "found_max_hz=1816000000"));
  EXPECT_FALSE(restore_saved_clock(at.board, at.store));
  EXPECT_TRUE(at.board.writes().empty());
}

TEST_F(RestoreSavedClock, IgnoresAndClearsAFileOfAnotherBoot) {
  ASSERT_TRUE(at.store.save(example()));
  SavedClockStore after_reboot(at.store.runtime_dir(), "boot-2");
  EXPECT_TRUE(restore_saved_clock(at.board, after_reboot).value().complete);
  EXPECT_TRUE(at.board.writes().empty());
  EXPECT_FALSE(at.store.load().value());
}

TEST_F(RestoreSavedClock, KeepsTheFileWhileTheNodeIsGone) {
  ASSERT_TRUE(at.clock().pin(mhz(816), PinStyle::exact, at.now));
  at.board.remove(MemoryAttributes::node);
  const ReleaseReport report = restore_saved_clock(at.board, at.store).value();
  EXPECT_TRUE(report.node_gone);
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(at.store.load().value());
}

TEST_F(RestoreSavedClock, LeavesTheDefaultsOfANodeThatCameBackAlone) {
  at.board.others_write(306000000, 816000000);
  ASSERT_TRUE(at.clock().pin(mhz(612), PinStyle::exact, at.now));
  at.board.others_write(306000000, MemoryAttributes::highest);
  at.board.forget_writes();
  EXPECT_TRUE(restore_saved_clock(at.board, at.store).value().complete);
  EXPECT_TRUE(at.board.writes().empty());
}

}  // namespace
}  // namespace sweetspot::tests
