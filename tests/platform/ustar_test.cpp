// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/ustar.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {
namespace {

namespace fs = std::filesystem;

/// An archive unpacked by the system's tar.
class UnpackedByTar : public ::testing::Test {
 protected:
  void unpack(const std::string& archive) {
    std::ofstream(folder_.path() + "/a.tar", std::ios::binary) << archive;
    fs::create_directory(folder_.path() + "/out");
    const std::string command =
        "tar -xf " + folder_.path() + "/a.tar -C " + folder_.path() + "/out 2> " + folder_.path() + "/said";
    ASSERT_EQ(std::system(command.c_str()), 0) << text(folder_.path() + "/said");
    EXPECT_EQ(text(folder_.path() + "/said"), "");
  }
  static std::string text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::string out(const std::string& path) const { return folder_.path() + "/out/" + path; }

  TemporaryFolder folder_;
};

TEST_F(UnpackedByTar, FilesHaveTheirBytesAndModes) {
  UstarWriter tar;
  tar.add_file("board/sys/empty", "", 0444);
  tar.add_file("board/sys/min_freq", "306000000\n", 0644);
  tar.add_file("board/model", std::string("with\0nul\0", 9), 0400);
  tar.add_file("board/block", std::string(512, 'x'), 0444);
  unpack(tar.take());
  EXPECT_EQ(text(out("board/sys/empty")), "");
  EXPECT_EQ(text(out("board/sys/min_freq")), "306000000\n");
  EXPECT_EQ(text(out("board/model")), std::string("with\0nul\0", 9));
  EXPECT_EQ(text(out("board/block")), std::string(512, 'x'));
  EXPECT_EQ(fs::status(out("board/sys/min_freq")).permissions(), fs::perms(0644));
  EXPECT_EQ(fs::status(out("board/model")).permissions(), fs::perms(0400));
}

TEST_F(UnpackedByTar, LinksPointWhereTheyDid) {
  UstarWriter tar;
  tar.add_link("sys/class/gpu", "../devices/gpu");
  unpack(tar.take());
  EXPECT_EQ(fs::read_symlink(out("sys/class/gpu")), "../devices/gpu");
}

TEST_F(UnpackedByTar, PathsAndTargetsOfEveryLengthArrive) {
  UstarWriter tar;
  // Around the 100 bytes of a name and the 255 of name and prefix; with and without a place to split.
  std::vector<std::string> paths;
  for (const std::size_t length : {99U, 100U, 101U, 155U, 156U, 200U, 254U, 255U, 256U, 257U, 300U}) {
    std::string deep;
    while (deep.size() + 30 < length) deep += "folder-" + std::to_string(length) + "/";
    paths.push_back(deep + std::string(length - deep.size(), 'n'));
  }
  paths.push_back("d/" + std::string(150, 'u'));
  for (const std::string& path : paths) tar.add_file(path, path, 0444);
  const std::string target = "../" + std::string(120, 't');
  tar.add_link("long-target", target);
  unpack(tar.take());
  for (const std::string& path : paths) EXPECT_EQ(text(out(path)), path) << path.size();
  EXPECT_EQ(fs::read_symlink(out("long-target")), target);
}

TEST(UstarWriter, GivesTheSameBytesForTheSameMembers) {
  const auto archive = [] {
    UstarWriter tar;
    tar.add_file("a", "1", 0644);
    return tar.take();
  };
  EXPECT_EQ(archive(), archive());
  EXPECT_EQ(archive().size() % 512, 0U);
}

}  // namespace
}  // namespace sweetspot::tests
