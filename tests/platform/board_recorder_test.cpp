// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/board_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "sweetspot/platform/discovery_text.hpp"
#include "tests/client/board_tree.hpp"
#include "tests/support/recorded_attributes.hpp"

namespace sweetspot::tests {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

RecordedBoard recorded(const BoardTree& tree) {
  const FileAttributes board(tree.root());
  auto result = record_board(board);
  if (result) return std::move(*result);
  ADD_FAILURE() << result.error().message;
  return {};
}

std::string text_of(const RecordedBoard& board) {
  return recording_text(board.files, "a test");
}

TEST(BoardRecorder, CopiesWhatDiscoveryNeeds) {
  const BoardTree tree;
  const RecordedBoard board = recorded(tree);
  EXPECT_EQ(discovery_text(RecordedAttributes(text_of(board))), discovery_text(FileAttributes(tree.root())));
  EXPECT_EQ(board.discovery, discovery_text(FileAttributes(tree.root())));
  EXPECT_TRUE(board.has_gpu);
  EXPECT_THAT(board.unreadable, ElementsAre());
}

TEST(BoardRecorder, KeepsLinksModesAndTextsAsTheyAre) {
  const BoardTree tree;
  tree.set_mode(BoardTree::node + "/min_freq", 0664);
  const RecordedBoard board = recorded(tree);
  const RecordedEntry& link = board.files.at("/sys/class/devfreq/17000000.gpu");
  EXPECT_EQ(link.kind, RecordedEntry::Kind::link);
  EXPECT_EQ(link.text, "../../devices/platform/bus@0/17000000.gpu/devfreq/17000000.gpu");
  EXPECT_EQ(board.files.at(BoardTree::node + "/min_freq").mode, 0664U);
  EXPECT_EQ(file_bytes(board.files.at(BoardTree::node + "/min_freq")), "306000000\n");
}

TEST(BoardRecorder, LeavesOutWhatNobodyLooksAt) {
  const BoardTree tree;
  tree.write("/sys/firmware/devicetree/base/serial-number", "1421019012345");
  tree.write(BoardTree::device + "/vpd", "secret");
  tree.write("/etc/shadow", "secret");
  const RecordedBoard board = recorded(tree);
  EXPECT_EQ(board.files.count("/sys/firmware/devicetree/base/serial-number"), 0U);
  EXPECT_THAT(text_of(board), Not(HasSubstr("secret")));
}

TEST(BoardRecorder, TakesIdentifiersOutOfEveryTextAndPath) {
  const BoardTree tree;
  tree.write("/sys/firmware/devicetree/base/serial-number", "1421019012345");
  tree.write("/etc/hostname", "annes-board");
  tree.write("/etc/nv_tegra_release", "# R36 (release), REVISION: 4.7, BOARD: generic, built on annes-board");
  tree.write("/etc/nvpmodel.conf", "# tuned by Anne on annes-board\n< POWER_MODEL ID=0 NAME=MAXN >\n# 1421019012345");
  tree.write(BoardTree::device + "/uevent", "DRIVER=gk20a\nMAC=48:b0:2d:12:34:56\nSN=x1421019012345");
  tree.write("/sys/class/hwmon/hwmon9-48:b0:2d:12:34:56/name", "battery");
  const RecordedBoard board = recorded(tree);
  const std::string text = text_of(board) + board.discovery + board.name;
  for (const char* secret : {"1421019012345", "annes-board", "Anne", "48:b0", "12:34:56"})
    EXPECT_THAT(text, Not(HasSubstr(secret)));
  EXPECT_THAT(text, HasSubstr("REVISION: 4.7"));
  EXPECT_THAT(text, HasSubstr("NAME=MAXN"));
  EXPECT_THAT(text, HasSubstr("[/sys/class/hwmon/hwmon9-00:00:00:00:00:01]"));
  EXPECT_EQ(board.secrets, 3U);
}

TEST(BoardRecorder, KeepsModelAndPathsWhateverTheHostIsCalled) {
  const BoardTree tree;
  tree.write("/etc/hostname", "tegra234");
  const RecordedBoard board = recorded(tree);
  EXPECT_THAT(board.discovery, HasSubstr("soc = tegra234"));
  EXPECT_EQ(board.discovery, discovery_text(RecordedAttributes(text_of(board))));
}

TEST(BoardRecorder, MakesAbsoluteLinksRelative) {
  const BoardTree tree;
  tree.write("/etc/nvpmodel/nvpmodel_p3701_0000.conf", "< POWER_MODEL ID=2 NAME=MODE_30W >");
  tree.write("/var/lib/nvpmodel/status", "pmode:0002");
  tree.absolute_link("/etc/nvpmodel.conf", "/etc/nvpmodel/nvpmodel_p3701_0000.conf");
  const RecordedBoard board = recorded(tree);
  EXPECT_EQ(board.files.at("/etc/nvpmodel.conf").text, "nvpmodel/nvpmodel_p3701_0000.conf");
  EXPECT_THAT(board.discovery, HasSubstr("mode = 2 MODE_30W"));
}

TEST(BoardRecorder, RefusesAMachineThatIsNoJetson) {
  const TemporaryFolder empty;
  const auto refused = record_board(FileAttributes(empty.path()));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ENODEV);
  EXPECT_THAT(refused.error().message, HasSubstr("no Jetson"));
}

TEST(BoardRecorder, RecordsAJetsonWhoseGpuIsNotThereYet) {
  const BoardTree tree;
  tree.remove("/sys/class/devfreq");
  const RecordedBoard board = recorded(tree);
  EXPECT_FALSE(board.has_gpu);
  EXPECT_THAT(board.discovery, HasSubstr("no gpu = "));
  EXPECT_THAT(board.discovery, HasSubstr("VDD_GPU_SOC"));
}

TEST(RecordingText, IsReadBackByAReaderOfItsOwn) {
  Recording files;
  files["/sys/a/text"] = {.text = "two\nlines with \\ and \"", .mode = 0444};
  files["/sys/a/tree"] = {.text = std::string("nvidia,a\0nvidia,b\0", 18), .mode = 0444};
  files["/sys/a/empty"] = {.text = "", .mode = 0444};
  files["/sys/a/limit"] = {.text = "306000000", .mode = 0664};
  files["/sys/a/gone"] = {.text = "", .code = ENODATA, .mode = 0444};
  files["/sys/b"] = {.kind = RecordedEntry::Kind::link, .text = "a", .mode = 0777};
  const RecordedAttributes read(recording_text(files, "a test"));
  for (const auto& [path, entry] : files) {
    if (entry.kind == RecordedEntry::Kind::link) continue;
    const auto text = read.read(path);
    EXPECT_EQ(text ? *text : "", entry.text) << path;
    EXPECT_EQ(text ? 0 : text.error().code, entry.code) << path;
  }
  EXPECT_EQ(read.real_path("/sys/b/limit").value(), "/sys/a/limit");
}

TEST(BoardSnapshot, AnswersTheSameForEver) {
  const BoardTree tree;
  const FileAttributes board(tree.root());
  const BoardSnapshot snapshot(board);
  EXPECT_EQ(snapshot.read(BoardTree::device + "/load").value(), "425");
  tree.write(BoardTree::device + "/load", "900");
  EXPECT_EQ(snapshot.read(BoardTree::device + "/load").value(), "425");
  EXPECT_EQ(snapshot.read("/sys/class/devfreq/17000000.gpu/device/load").value(), "425");
}

TEST(BoardSnapshot, SurvivesLinksThatGoInCircles) {
  const BoardTree tree;
  tree.absolute_link("/sys/loop", "/sys/loop");
  const FileAttributes board(tree.root());
  const BoardSnapshot snapshot(board);
  EXPECT_EQ(snapshot.read("/sys/loop/x").error().code, ELOOP);
}

TEST(BoardSnapshot, WritesNothing) {
  const BoardTree tree;
  const FileAttributes board(tree.root());
  BoardSnapshot snapshot(board);
  EXPECT_EQ(snapshot.write(BoardTree::node + "/min_freq", "1").error().code, EROFS);
}

}  // namespace
}  // namespace sweetspot::tests
