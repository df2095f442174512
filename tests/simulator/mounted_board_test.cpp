// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "simulator/child.hpp"
#include "support/simulated_board.hpp"

namespace sweetspot {
namespace {

constexpr uid_t nobody = 65534;

class MountedBoard : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    board.emplace();
  }
  std::string path(const std::string& file) const { return board->root() + "/" + board->gpu(file); }
  Ending shell(const std::string& script, std::optional<uid_t> user = {}) const {
    return run_child({"/bin/sh", "-c", script}, user);
  }

  std::optional<SimulatedBoard> board;
};

TEST_F(MountedBoard, AttributesHaveThePageSizeOfSysfs) {
  struct stat st {};
  ASSERT_EQ(stat(path("min_freq").c_str(), &st), 0);
  EXPECT_EQ(st.st_size, 4096);
  EXPECT_EQ(st.st_blocks, 0);
  EXPECT_EQ(st.st_mode & 07777U, 0644U);
}

TEST_F(MountedBoard, AReadOnlyFileRefusesEvenRoot) {
  EXPECT_EQ(board->write(board->gpu("cur_freq"), "1\n"), EACCES);
}

TEST_F(MountedBoard, FilesCanNeitherBeMadeNorRemoved) {
  EXPECT_EQ(open(path("nope").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644), -1);
  EXPECT_EQ(errno, EACCES);
  EXPECT_EQ(unlink(path("min_freq").c_str()), -1);
  EXPECT_EQ(errno, EPERM);
}

TEST_F(MountedBoard, ReadingAgainAtOffsetZeroGivesTheNewValue) {
  const int fd = open(path("max_freq").c_str(), O_RDONLY | O_CLOEXEC);
  std::array<char, 64> buffer{};
  ASSERT_EQ(pread(fd, buffer.data(), buffer.size(), 0), 11);
  ASSERT_EQ(board->write(board->gpu("max_freq"), "612000000"), 0);
  const ssize_t size = pread(fd, buffer.data(), buffer.size(), 0);
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(size)), "612000000\n");
  close(fd);
}

TEST_F(MountedBoard, EachWriteIsAStoreOfItsOwn) {
  const int fd = open(path("max_freq").c_str(), O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(write(fd, "40800", 5), 5);
  EXPECT_EQ(write(fd, "0000", 4), 4);
  close(fd);
  const auto writes = board->writes();
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes[0].value, "40800");
  EXPECT_EQ(writes[1].value, "0000");
  EXPECT_EQ(board->read(board->gpu("max_freq")), "1300500000");
}

TEST_F(MountedBoard, TruncatingChangesNothing) {
  ASSERT_EQ(board->write(board->gpu("max_freq"), "612000000"), 0);
  const int fd = open(path("max_freq").c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  close(fd);
  EXPECT_EQ(board->read(board->gpu("max_freq")), "612000000");
}

TEST_F(MountedBoard, OwnerAndModeAreKept) {
  ASSERT_EQ(chmod(path("min_freq").c_str(), 0664), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path("min_freq").c_str(), 0, 1000), 0);
  }
  struct stat st {};
  ASSERT_EQ(stat(path("min_freq").c_str(), &st), 0);
  EXPECT_EQ(st.st_mode & 07777U, 0664U);
  EXPECT_EQ(st.st_gid, geteuid() == 0 ? 1000U : getegid());
}

TEST_F(MountedBoard, AnotherUserMayReadButNotWrite) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  const Ending reading = shell("cat " + path("min_freq"), nobody);
  EXPECT_EQ(reading.output, "306000000\n");
  const Ending writing = shell("echo 510000000 > " + path("min_freq"), nobody);
  EXPECT_NE(writing.status, 0);
  EXPECT_NE(writing.output.find("Permission denied"), std::string::npos);
  EXPECT_TRUE(board->writes().empty());
}

TEST_F(MountedBoard, AGroupThatWasGivenTheFileMayWrite) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
  ASSERT_EQ(chown(path("min_freq").c_str(), 0, nobody), 0);
  ASSERT_EQ(chmod(path("min_freq").c_str(), 0664), 0);
  EXPECT_EQ(shell("echo 510000000 > " + path("min_freq"), nobody).status, 0);
}

TEST_F(MountedBoard, AVanishedNodeAnswersNoDeviceToThoseWhoHoldItOpen) {
  const int fd = open(path("max_freq").c_str(), O_RDONLY | O_CLOEXEC);
  const std::string name = board->gpu("max_freq");
  board->control("gpu vanish");
  std::array<char, 64> buffer{};
  EXPECT_EQ(pread(fd, buffer.data(), buffer.size(), 0), -1);
  EXPECT_EQ(errno, ENODEV);
  EXPECT_EQ(board->read_error(name), ENOENT);
  close(fd);
}

TEST_F(MountedBoard, ABlockedFileStallsNoOther) {
  board->control("block min_freq read 60");
  std::atomic<int> answered{-1};
  const std::string name = board->gpu("min_freq");
  std::thread blocked([&] { answered = board->read_error(name); });
  EXPECT_EQ(board->read(board->gpu("max_freq")), "1300500000");
  EXPECT_EQ(board->read_error("sys/class/hwmon/hwmon3/curr1_input"), 0);
  EXPECT_EQ(answered, -1);
  board->unmount();  // answers what waits
  blocked.join();
  EXPECT_NE(answered, -1);
}

TEST_F(MountedBoard, ASlowFileAnswersLater) {
  board->control("slow min_freq read 0.2");
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(board->read(board->gpu("min_freq")), "306000000");
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(200));
}

TEST_F(MountedBoard, AKilledWriterLeavesTheWriteUndoneOrDoneAsOrdered) {
  // `sh` opens (1) and writes (2).
  const std::string script = "echo 612000000 > " + path("max_freq") + "; echo survived";
  board->control("kill-at 2 before comm=sh");
  const Ending before = shell(script);
  EXPECT_EQ(before.signal, SIGKILL);
  EXPECT_EQ(before.output, "");
  EXPECT_EQ(board->read(board->gpu("max_freq")), "1300500000");
  board->control("kill-at 2 after comm=sh");
  EXPECT_EQ(shell(script).signal, SIGKILL);
  EXPECT_EQ(board->read(board->gpu("max_freq")), "612000000");
}

TEST_F(MountedBoard, EveryAccessOfAProgramCanBeItsLast) {
  const std::string script = "cat " + path("min_freq") + " " + path("max_freq");
  board->control("accesses restart");
  ASSERT_EQ(run_child({"/bin/sh", "-c", "exec " + script}).status, 0);
  const auto accesses = board->accesses("cat");
  ASSERT_GE(accesses, 4U);
  for (std::uint64_t n = 1; n <= accesses; ++n) {
    for (const auto* when : {"before", "after"}) {
      board->control("kill-at " + std::to_string(n) + " " + when + " comm=cat");
      EXPECT_EQ(run_child({"/bin/sh", "-c", "exec " + script}).signal, SIGKILL) << n << " " << when;
    }
  }
  EXPECT_EQ(board->read(board->gpu("min_freq")), "306000000");
}

TEST_F(MountedBoard, ARefusedControlLineIsExplained) {
  EXPECT_EQ(board->write("control", "make it warm\n"), EINVAL);
  EXPECT_NE(board->read("control").find("unknown command 'make'"), std::string::npos);
}

TEST_F(MountedBoard, IsGoneAfterUnmounting) {
  const std::string root = board->root();
  board->unmount();
  EXPECT_FALSE(std::filesystem::exists(root));
}

TEST_F(MountedBoard, IsGoneEvenWhenTheSimulatorWasKilled) {
  const std::string root = board->root();
  ASSERT_EQ(kill(board->pid(), SIGKILL), 0);
  board->unmount();
  EXPECT_FALSE(std::filesystem::exists(root));
}

TEST(Mount, RefusesWhatIsNotAnEmptyDirectoryWithStatusThree) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const Ending full = run_child({SimulatedBoard::program(), "mount", "/usr"});
  EXPECT_EQ(full.status, 3);
  EXPECT_NE(full.output.find("/usr is not an empty directory"), std::string::npos);
  EXPECT_EQ(run_child({SimulatedBoard::program(), "mount", "/nonexistent"}).status, 3);
}

TEST(Mount, RefusesAWrongFaultLineOrBoardAsUsage) {
  EXPECT_EQ(run_child({SimulatedBoard::program(), "mount", "--board", "toaster", "/nonexistent"}).status, 2);
  const auto folder = std::filesystem::temp_directory_path() / ("sweetspot-empty-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  if (!SimulatedBoard::unavailable()) {
    EXPECT_EQ(run_child({SimulatedBoard::program(), "mount", "--fault", "warm up", folder}).status, 2);
  }
  std::filesystem::remove(folder);
}

TEST(Mount, PrintsTheFaultGrammarInItsHelp) {
  const Ending help = run_child({SimulatedBoard::program(), "mount", "--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.output.find("kill-at N before|after [comm=NAME]"), std::string::npos);
}

TEST(Mount, FaultsOfTheCommandLineAreInForceFromTheStart) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6", {"--fault", "gpu vanish", "--fault", "oc 1"});
  EXPECT_THROW((void)board.gpu("min_freq"), std::runtime_error);
  EXPECT_EQ(board.read("sys/class/hwmon/hwmon5/oc1_event_cnt"), "1");
}

TEST(Mount, APowerModeCapsFromTheStart) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  const SimulatedBoard board("agx-orin-64-jp6", {"--mode", "3"});
  EXPECT_EQ(board.read(board.gpu("max_freq")), "816000000");
}

// In a mount namespace of its own, where /dev/fuse is open to all whatever it is outside.
TEST(Mount, WorksForAnOrdinaryUser) {
  if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
  if (geteuid() != 0) GTEST_SKIP() << "every other test here is that test";
  const Ending namespaces = run_child({"unshare", "--mount", "true"});
  if (namespaces.status != 0) GTEST_SKIP() << "no mount namespace of one's own here: " << namespaces.output;
  const auto base = std::filesystem::temp_directory_path() / ("sweetspot-user-" + std::to_string(getpid()));
  std::filesystem::create_directories(base / "board");
  const std::string script = R"(
    cd "$1" && chown 65534 board && mknod fuse c 10 229 && chmod 666 fuse && mount --bind fuse /dev/fuse || exit 77
    : > said
    setpriv --reuid=65534 --regid=65534 --clear-groups "$2" mount "$1/board" > said 2>&1 &
    simulator=$!
    n=0; until grep -q ready said || [ $n -ge 200 ]; do n=$((n+1)); sleep 0.05; done
    setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
      echo 510000000 > board/sys/class/devfreq/17000000.gpu/min_freq; cat board/sys/class/devfreq/17000000.gpu/min_freq'
    kill $simulator; wait $simulator; echo "status $?"; cat said
    umount /dev/fuse; rm -f fuse said)";
  const Ending ending =
      run_child({"unshare", "--mount", "/bin/sh", "-c", script, "sh", base.string(), SimulatedBoard::program()});
  std::filesystem::remove_all(base);
  if (ending.status == 77) GTEST_SKIP() << "no namespace for it here: " << ending.output;
  EXPECT_EQ(ending.output, "510000000\nstatus 0\nready\n");
}

}  // namespace
}  // namespace sweetspot
