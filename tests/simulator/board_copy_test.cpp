// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/board_copy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "places.hpp"
#include "support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

BoardCopy copy_of(const std::string& text) {
  auto copy = BoardCopy::parse(text);
  if (copy) return std::move(*copy);
  ADD_FAILURE() << copy.error().message;
  return {};
}

TEST(BoardCopy, ReadsTextsLinksErrorsAndModes) {
  const BoardCopy copy = copy_of(
      "# a comment\n[/sys/a]\ntext = one\\ntwo\\\\\nempty =\nlimit 0664 = 306000000\ngone ! ENODATA\n"
      "/sys/tree = nvidia,a\\0\n[/sys]\nb -> a\n");
  EXPECT_EQ(copy.text("/sys/a/text"), "one\ntwo\\");
  EXPECT_EQ(copy.text("/sys/a/empty"), "");
  EXPECT_EQ(copy.text("/sys/b/limit"), "306000000");
  EXPECT_EQ(copy.files().at("/sys/a/limit").mode, mode_t{0664});
  EXPECT_EQ(copy.error("/sys/b/gone"), ENODATA);
  EXPECT_FALSE(copy.text("/sys/b/gone"));
  EXPECT_EQ(copy.real_path("/sys/b"), "/sys/a");
  EXPECT_THAT(copy.list("/sys/b"), ElementsAre("empty", "gone", "limit", "text"));
  EXPECT_FALSE(copy.exists("/sys/a/no"));
}

TEST(BoardCopy, GivesBytesBackWithTheNewlineTheyHad) {
  const BoardCopy copy = copy_of("/sys/a = 1\n/sys/b =\n/sys/c = x\\0\n");
  EXPECT_EQ(bytes_of(copy.files().at("/sys/a")), "1\n");
  EXPECT_EQ(bytes_of(copy.files().at("/sys/b")), "");
  EXPECT_EQ(bytes_of(copy.files().at("/sys/c")), std::string("x\0", 2));
}

TEST(BoardCopy, RefusesWhatIsNoEntryByItsLine) {
  for (const char* line : {"name", "name : text", "name ! ENOSUCH", "name 0999 = text", "name ->", "/sys/../etc/x = 1",
                           "relative/path = 1", "/sys//a = 1", " = 1"}) {
    const auto copy = BoardCopy::parse(std::string("# first\n") + line + "\n");
    ASSERT_FALSE(copy) << line;
    EXPECT_THAT(copy.error().message, HasSubstr("line 2")) << line;
  }
}

TEST(BoardCopy, FollowsNoLinkForEver) {
  const BoardCopy copy = copy_of("/sys/a -> b\n/sys/b -> a\n/sys/up -> ../../../..\n");
  EXPECT_FALSE(copy.text("/sys/a/x"));
  EXPECT_FALSE(copy.exists("/sys/a"));
  EXPECT_FALSE(copy.text("/sys/up/etc/passwd"));
}

TEST(BoardCopy, LoadsAFolderThatHoldsATree) {
  const auto copy = BoardCopy::load(SWEETSPOT_SOURCE_DIR "/tests/data/agx-orin-jp6");
  ASSERT_TRUE(copy) << copy.error().message;
  EXPECT_EQ(copy->text("/sys/class/devfreq/17000000.gpu/governor"), "nvhost_podgov");
}

TEST(BoardCopy, SaysWhatIsWrongWithAFileThatIsNoRecording) {
  const tests::TemporaryFolder folder;
  const auto refusal = [&](const std::string& bytes) {
    std::ofstream(folder.path() + "/a.tar", std::ios::binary) << bytes;
    const auto copy = BoardCopy::load(folder.path() + "/a.tar");
    return copy ? std::string("loaded") : copy.error().message;
  };
  std::string header(512, '\0');
  header.replace(0, 14, "board/tree.txt");
  header.replace(257, 5, "ustar");
  header[156] = '0';
  EXPECT_THAT(refusal(""), HasSubstr("no tree.txt"));
  EXPECT_THAT(refusal("\x1f\x8b" + std::string(600, 'z')), HasSubstr("compressed"));
  EXPECT_THAT(refusal(header.replace(124, 11, "00000001000")), HasSubstr("cut short"));
  EXPECT_THAT(refusal(header.replace(124, 11, "zzzzzzzzzzz")), HasSubstr("cut short"));
  EXPECT_THAT(refusal(header.replace(124, 11, "77777777777")), HasSubstr("cut short"));
  EXPECT_THAT(refusal(header.replace(0, 14, "board/leaf.txt").replace(124, 11, "00000000000")),
              HasSubstr("no tree.txt"));
  EXPECT_THAT(BoardCopy::load(folder.path() + "/absent.tar").error().message, HasSubstr("absent.tar"));
  EXPECT_THAT(BoardCopy::load(folder.path()).error().message, HasSubstr("tree.txt"));
}

}  // namespace
}  // namespace sweetspot
