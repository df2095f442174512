// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <optional>

#include "places.hpp"
#include "support/simulated_board.hpp"
#include "tests/client/program_run.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::eventually;
using tests::ProgramRun;
using tests::RunningDaemon;
using tests::TemporaryFolder;

constexpr const char* untouched = "306000000 1300500000";

struct WriteTest {
  std::string verdict;
  std::string detail;
};

/// The built doctor on a simulated board, without a service and with one.
class DoctorProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = SimulatedBoard::unavailable()) GTEST_SKIP() << *reason;
    board_.emplace();
    ASSERT_EQ(::chmod(folder_.path().c_str(), 0700), 0);
    socket_ = folder_.path() + "/absent";
    runtime_dir_ = folder_.path();
  }
  void start_service() {
    daemon_.emplace(board_->root());
    socket_ = daemon_->socket();
    runtime_dir_ = daemon_->runtime_dir();
  }
  [[nodiscard]] std::vector<std::string> line(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{SWEETSPOT_PROGRAM, "--socket",     socket_,         "--json",    "doctor",
                                   "--sysfs-root",    board_->root(), "--runtime-dir", runtime_dir_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  [[nodiscard]] WriteTest write_test(const std::vector<std::string>& more = {}) const {
    ProgramRun doctor(line(more));
    EXPECT_EQ(doctor.finish(), 0) << doctor.out() << doctor.err();
    const auto report = nlohmann::json::parse(doctor.out());
    for (const auto& finding : report.at("findings")) {
      if (finding.at("check") == "write test") return {finding.at("verdict"), finding.at("detail")};
    }
    ADD_FAILURE() << doctor.out();
    return {};
  }
  [[nodiscard]] std::string limits() const {
    return board_->read(board_->gpu("min_freq")) + " " + board_->read(board_->gpu("max_freq"));
  }
  /// A job that holds 714 MHz until it is stopped.
  [[nodiscard]] std::vector<std::string> job() const {
    return {SWEETSPOT_PROGRAM, "--socket", socket_, "run", "--freq", "714MHz", "--", "tail", "-f", "/dev/null"};
  }

  std::optional<SimulatedBoard> board_;
  std::optional<RunningDaemon> daemon_;
  TemporaryFolder folder_;
  std::string socket_;
  std::string runtime_dir_;
};

TEST_F(DoctorProgram, WritesTheClockItselfWhereNoServiceRuns) {
  const WriteTest test = write_test();
  EXPECT_EQ(test.verdict, "ok") << test.detail;
  EXPECT_THAT(test.detail, HasSubstr("wrote 1224 MHz, read it back, restored 306 MHz to 1300.5 MHz"));
  EXPECT_EQ(board_->writes().size(), 4U);
  EXPECT_EQ(limits(), untouched);
}

TEST_F(DoctorProgram, TestsAsRootWhatTheServicesUserMay) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to go on as another user";
  constexpr uid_t nobody = 65534;
  ASSERT_EQ(::chown(runtime_dir_.c_str(), nobody, nobody), 0);
  ProgramRun denied(line());
  EXPECT_EQ(denied.finish(), 1);
  EXPECT_THAT(denied.out(), HasSubstr("the service's user may not write the limits"));
  EXPECT_THAT(denied.out(), HasSubstr("sudo sweetspotd --grant-access sweetspot"));
  for (const char* file : {"min_freq", "max_freq"}) {
    const std::string path = board_->root() + "/" + board_->gpu(file);
    ASSERT_EQ(::chown(path.c_str(), 0, nobody), 0);
    ASSERT_EQ(::chmod(path.c_str(), 0664), 0);
  }
  EXPECT_EQ(write_test().verdict, "ok");
  EXPECT_EQ(limits(), untouched);
}

TEST_F(DoctorProgram, LetsTheServiceWriteForAMoment) {
  start_service();
  const WriteTest test = write_test();
  EXPECT_EQ(test.verdict, "ok") << test.detail;
  EXPECT_THAT(test.detail, HasSubstr("the service wrote 1224 MHz, read it back, restored 306 MHz to 1300.5 MHz"));
  for (const SimulatedWrite& write : board_->writes()) EXPECT_EQ(write.program, "sweetspotd");
  EXPECT_EQ(limits(), untouched);
}

TEST_F(DoctorProgram, WritesNothingWhileAJobRuns) {
  start_service();
  ProgramRun run(job());
  ASSERT_TRUE(eventually([&] { return limits() == "714000000 714000000"; }));
  const std::size_t writes = board_->writes().size();
  EXPECT_EQ(write_test().verdict, "skip");
  EXPECT_EQ(board_->writes().size(), writes);
  EXPECT_EQ(limits(), "714000000 714000000");
}

TEST_F(DoctorProgram, WritesNothingWhileTheGpuIsBusy) {
  const SimulatedBoard busy("agx-orin-64-jp6", {"--workload", "pythia-14m/qnli"});
  ProgramRun doctor(
      {SWEETSPOT_PROGRAM, "--socket", socket_, "doctor", "--sysfs-root", busy.root(), "--runtime-dir", runtime_dir_});
  EXPECT_EQ(doctor.finish(), 0) << doctor.out();
  EXPECT_THAT(doctor.out(), HasSubstr("the GPU is busy"));
  EXPECT_TRUE(busy.writes().empty());
}

TEST_F(DoctorProgram, WritesNothingWhenToldSo) {
  EXPECT_EQ(write_test({"--no-write"}).detail, "not wanted (--no-write)");
  start_service();
  EXPECT_EQ(write_test({"--no-write"}).detail, "not wanted (--no-write)");
  EXPECT_TRUE(board_->writes().empty());
}

TEST_F(DoctorProgram, RestoresTheClockThoughItIsTerminatedInBetween) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    board_->control("writes clear");
    board_->control("slow max_freq write 0.5");
    ProgramRun doctor(line());
    ASSERT_TRUE(eventually([&] { return !board_->writes().empty(); }));
    doctor.signal(signal);
    EXPECT_EQ(doctor.finish(), 128 + signal);
    EXPECT_EQ(limits(), untouched);
    EXPECT_EQ(board_->writes().size(), 4U);
    board_->control("clear all");
  }
}

TEST_F(DoctorProgram, LeavesWhatARestoreNeedsThoughItIsKilledInBetween) {
  board_->control("slow max_freq write 0.5");
  ProgramRun doctor(line());
  ASSERT_TRUE(eventually([&] { return !board_->writes().empty(); }));
  doctor.signal(SIGKILL);
  EXPECT_EQ(doctor.finish(), 128 + SIGKILL);
  board_->control("clear all");
  ProgramRun restore({SWEETSPOTD_PROGRAM, "--restore", "--sysfs-root", board_->root(), "--runtime-dir", runtime_dir_});
  EXPECT_EQ(restore.finish(), 0) << restore.err();
  EXPECT_TRUE(eventually([&] { return limits() == untouched; })) << limits();
}

TEST_F(DoctorProgram, LeavesNoClockWithTheServiceThoughItIsKilledInBetween) {
  start_service();
  board_->control("slow max_freq write 0.5");
  ProgramRun doctor(line());
  ASSERT_TRUE(eventually([&] { return !board_->writes().empty(); }));
  doctor.signal(SIGKILL);
  EXPECT_EQ(doctor.finish(), 128 + SIGKILL);
  board_->control("clear all");
  EXPECT_TRUE(eventually([&] { return limits() == untouched; })) << limits();
}

TEST_F(DoctorProgram, FailsADriverThatRefusesTheLimitsAndNamesAFix) {
  board_->control("write-error min_freq EINVAL");
  ProgramRun doctor(line());
  EXPECT_EQ(doctor.finish(), 1) << doctor.out();
  EXPECT_THAT(doctor.out(), HasSubstr("Invalid argument"));
  int failures = 0;
  const auto report = nlohmann::json::parse(doctor.out());
  for (const auto& finding : report.at("findings")) {
    if (finding.at("verdict") != "fail") continue;
    ++failures;
    EXPECT_FALSE(finding.at("fix").is_null()) << finding;
  }
  EXPECT_EQ(failures, 1);
}

TEST_F(DoctorProgram, FindsNoHardwareWhereTheNodeIsGone) {
  start_service();
  board_->control("gpu vanish");
  ProgramRun doctor(line());
  EXPECT_EQ(doctor.finish(), 3) << doctor.out();
}

}  // namespace
}  // namespace sweetspot
