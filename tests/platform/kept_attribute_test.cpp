// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/kept_attribute.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "tests/support/tree_attributes.hpp"

namespace sweetspot::tests {
namespace {

class KeptAttributeTest : public ::testing::Test {
 protected:
  /// Counts how often a file is opened.
  struct Board : TreeAttributes {
    mutable int opened = 0;
    Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const override {
      ++opened;
      return TreeAttributes::open(path);
    }
  };

  std::string text() {
    std::array<char, 16> buffer;
    const auto read = file.read(buffer);
    return read ? std::string(*read) : "errno " + std::to_string(read.error().code);
  }

  Board board;
  KeptAttribute file{board, "/sys/value"};
};

TEST_F(KeptAttributeTest, OpensAtTheFirstReadAndNeverAgain) {
  board.set("/sys/value", "1");
  EXPECT_EQ(board.opened, 0);
  EXPECT_EQ(text(), "1");
  board.set("/sys/value", "2");
  EXPECT_EQ(text(), "2");
  EXPECT_EQ(board.opened, 1);
}

TEST_F(KeptAttributeTest, IsNotThereAsLongAsThePathIsNot) {
  EXPECT_EQ(text(), "errno " + std::to_string(ENOENT));
  board.set("/sys/value", "1");
  EXPECT_EQ(text(), "1");
  board.remove("/sys/value");
  EXPECT_EQ(text(), "errno " + std::to_string(ENOENT));
}

TEST_F(KeptAttributeTest, LooksWhereThePathLeadsNowWhenTheOpenFileIsGone) {
  board.set("/sys/devices/1/value", "one");
  board.set("/sys/devices/2/value", "two");
  board.link("/sys/value", "devices/1/value");
  EXPECT_EQ(text(), "one");
  board.remove("/sys/devices/1");
  board.link("/sys/value", "devices/2/value");
  EXPECT_EQ(text(), "two");
}

TEST_F(KeptAttributeTest, ReportsAFailingReadWithoutTryingTwice) {
  board.set("/sys/value", "1");
  EXPECT_EQ(text(), "1");
  board.set_error("/sys/value", EIO);
  EXPECT_EQ(text(), "errno " + std::to_string(EIO));
  EXPECT_EQ(board.opened, 1);
}

}  // namespace
}  // namespace sweetspot::tests
