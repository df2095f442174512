// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/sealed_memory.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace sweetspot {
namespace {

TEST(SealedMemory, GivesTheTextBackToWhoeverHasTheDescriptor) {
  for (const std::string& text : {std::string(), std::string("a\0b", 3), std::string(300'000, 'x')}) {
    const auto memory = make_sealed_memory("test", text);
    ASSERT_TRUE(memory);
    EXPECT_EQ(read_sealed_memory(memory->value(), text.size()), Result<std::string>(text));
  }
}

TEST(SealedMemory, TakesNoWriteAndIsClosedOnExec) {
  const auto memory = make_sealed_memory("test", "text");
  ASSERT_TRUE(memory);
  EXPECT_EQ(::pwrite(memory->value(), "T", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(memory->value(), 0), -1);
  EXPECT_NE(::fcntl(memory->value(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(SealedMemory, ReadsNoMoreThanItIsTold) {
  const auto memory = make_sealed_memory("test", "text");
  ASSERT_TRUE(memory);
  EXPECT_EQ(read_sealed_memory(memory->value(), 3).error().code, EFBIG);
}

TEST(SealedMemory, RefusesWhatCanStillChangeAndWhatIsNoMemory) {
  const UniqueFd open(::memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_FALSE(read_sealed_memory(open.value(), 100));
  ASSERT_EQ(::fcntl(open.value(), F_ADD_SEALS, F_SEAL_WRITE), 0);
  EXPECT_FALSE(read_sealed_memory(open.value(), 100)) << "it could still grow";
  const UniqueFd null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(read_sealed_memory(null.value(), 100));
}

}  // namespace
}  // namespace sweetspot
