// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/attributes.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

namespace fs = std::filesystem;

class FileAttributesTest : public ::testing::Test {
 protected:
  void file(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(folder.path() + path).parent_path());
    std::ofstream(folder.path() + path, std::ios::binary) << text;
  }
  std::string on_disk(const std::string& path) {
    std::ifstream stream(folder.path() + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  TemporaryFolder folder;
  FileAttributes board{folder.path()};
};

TEST_F(FileAttributesTest, ReadsBelowItsRootWithoutTheFinalNewline) {
  file("/sys/a/min_freq", "306000000\n");
  EXPECT_EQ(board.read("/sys/a/min_freq").value(), "306000000");
}

TEST_F(FileAttributesTest, KeepsNulBytesAndInnerNewlines) {
  const std::string text("nvidia,a\0nvidia,b\n\0", 19);
  file("/sys/compatible", text);
  EXPECT_EQ(board.read("/sys/compatible").value(), text);
}

TEST_F(FileAttributesTest, ReadsAFileLongerThanAPage) {
  file("/etc/nvpmodel.conf", std::string(30000, 'x'));
  EXPECT_EQ(board.read("/etc/nvpmodel.conf").value().size(), 30000U);
}

TEST_F(FileAttributesTest, RefusesAFileWithoutAnEnd) {
  file("/etc/endless", std::string(1 << 20, 'x'));
  EXPECT_EQ(board.read("/etc/endless").error().code, EFBIG);
}

TEST_F(FileAttributesTest, SaysWhatFailedAndWhy) {
  const auto text = board.read("/sys/none");
  EXPECT_EQ(text.error().message, "read /sys/none: No such file or directory");
  EXPECT_EQ(text.error().code, ENOENT);
  EXPECT_EQ(board.write("/sys/none", "918000000").error().message,
            "write /sys/none: 918000000: No such file or directory");
}

TEST_F(FileAttributesTest, WritesOneLineInPlaceAndCreatesNothing) {
  file("/sys/a/max_freq", "1300500000\n");
  ASSERT_TRUE(board.write("/sys/a/max_freq", "816000000"));
  // A plain file keeps the bytes behind: nothing was truncated, as no sysfs store would be.
  EXPECT_EQ(on_disk("/sys/a/max_freq"), "816000000\n\n");
  EXPECT_FALSE(board.write("/sys/a/new", "1"));
  EXPECT_FALSE(fs::exists(folder.path() + "/sys/a/new"));
}

TEST_F(FileAttributesTest, ListsSortedNames) {
  file("/sys/class/b", "");
  file("/sys/class/a", "");
  file("/sys/class/c/d", "");
  EXPECT_EQ(board.list("/sys/class").value(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(board.list("/sys/none").error().code, ENOENT);
}

TEST_F(FileAttributesTest, ResolvesLinksToPathsOfTheBoard) {
  file("/sys/devices/gpu/devfreq/x/min_freq", "1");
  fs::create_directories(folder.path() + "/sys/class/devfreq");
  fs::create_symlink("../../devices/gpu/devfreq/x", folder.path() + "/sys/class/devfreq/x");
  EXPECT_EQ(board.real_path("/sys/class/devfreq/x").value(), "/sys/devices/gpu/devfreq/x");
}

TEST_F(FileAttributesTest, RefusesALinkOutOfItsRoot) {
  fs::create_directories(folder.path() + "/sys");
  fs::create_symlink("/etc/hostname", folder.path() + "/sys/outside");
  EXPECT_FALSE(board.real_path("/sys/outside"));
}

TEST_F(FileAttributesTest, ReadsAnOpenFileAnewEachTime) {
  file("/sys/in1_input", "19904\n");
  const auto open = board.open("/sys/in1_input").value();
  std::array<char, 32> buffer;
  EXPECT_EQ(open->read(buffer).value(), "19904");
  file("/sys/in1_input", "19912\n");
  EXPECT_EQ(open->read(buffer).value(), "19912");
}

/// As a driver that is bound anew: same path, another folder.
TEST_F(FileAttributesTest, FindsTheFolderThatTookThePlaceOfOneThatIsGone) {
  file("/sys/class/thing/value", "old\n");
  EXPECT_EQ(board.read("/sys/class/thing/value").value(), "old");
  fs::remove_all(folder.path() + "/sys/class/thing");
  EXPECT_EQ(board.read("/sys/class/thing/value").error().code, ENOENT);
  file("/sys/class/thing/value", "new\n");
  EXPECT_EQ(board.read("/sys/class/thing/value").value(), "new");
}

TEST_F(FileAttributesTest, FollowsALinkThatLeadsElsewhereOnceItsOldFolderIsGone) {
  file("/sys/devices/hwmon1/name", "1\n");
  file("/sys/devices/hwmon2/name", "2\n");
  fs::create_directories(folder.path() + "/sys/class");
  const std::string link = folder.path() + "/sys/class/hwmon";
  fs::create_directory_symlink("../devices/hwmon1", link);
  EXPECT_EQ(board.read("/sys/class/hwmon/name").value(), "1");
  fs::remove_all(folder.path() + "/sys/devices/hwmon1");
  fs::remove(link);
  fs::create_directory_symlink("../devices/hwmon2", link);
  EXPECT_EQ(board.read("/sys/class/hwmon/name").value(), "2");
}

TEST_F(FileAttributesTest, HoldsABoundedNumberOfFolders) {
  const auto descriptors = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), {}); };
  const auto before = descriptors();
  for (int i = 0; i < 500; ++i) {
    const std::string path = "/sys/devices/" + std::to_string(i) + "/value";
    file(path, std::to_string(i));
    EXPECT_EQ(board.read(path).value(), std::to_string(i));
  }
  EXPECT_LE(descriptors() - before, 64);
}

TEST_F(FileAttributesTest, NoticesWritesOfOthers) {
  file("/sys/min_freq", "306000000\n");
  EXPECT_EQ(board.written_since_last_asked("/sys/min_freq"), std::nullopt);
  EXPECT_EQ(board.written_since_last_asked("/sys/min_freq"), false);
  FileAttributes other(folder.path());
  ASSERT_TRUE(other.write("/sys/min_freq", "408000000"));
  EXPECT_EQ(board.written_since_last_asked("/sys/min_freq"), true);
  EXPECT_EQ(board.written_since_last_asked("/sys/min_freq"), false);
}

TEST_F(FileAttributesTest, DoesNotKnowAboutWritesToWhatIsNotThere) {
  EXPECT_EQ(board.written_since_last_asked("/sys/none"), std::nullopt);
  EXPECT_EQ(board.written_since_last_asked("/sys/none"), std::nullopt);
}

}  // namespace
}  // namespace sweetspot::tests
