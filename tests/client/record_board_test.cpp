// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "places.hpp"
#include "tests/client/board_tree.hpp"
#include "tests/client/program_run.hpp"

namespace sweetspot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using tests::BoardTree;
using tests::ProgramRun;
using tests::TemporaryFolder;

/// The program, a small board as plain files, and a place to write to.
class RecordBoard : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<std::string> line(const std::string& output, const std::string& root) const {
    return {SWEETSPOT_PROGRAM, "record-board", "-o", output, "--sysfs-root", root};
  }
  int record(const std::string& output, const std::vector<std::string>& more = {}) {
    auto words = line(output, board_.root());
    words.insert(words.end(), more.begin(), more.end());
    ProgramRun run(words);
    const int status = run.finish();
    out_ = run.out();
    err_ = run.err();
    return status;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.path() + "/" + name; }
  static std::string text(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// The archive's folder, unpacked by tar.
  std::string unpacked(const std::string& archive, const std::string& into) {
    fs::create_directory(file(into));
    ProgramRun tar({"/bin/tar", "-xf", archive, "-C", file(into)});
    EXPECT_EQ(tar.finish(), 0) << tar.err();
    return file(into) + "/tegra234";
  }

  BoardTree board_;
  TemporaryFolder folder_;
  std::string out_;
  std::string err_;
};

TEST_F(RecordBoard, WritesAnArchiveThatIsAFixtureAndARootAtOnce) {
  ASSERT_EQ(record(file("a.tar")), 0) << err_;
  EXPECT_THAT(out_, AllOf(HasSubstr("tegra234"), HasSubstr("identifiers were taken out")));
  const std::string board = unpacked(file("a.tar"), "a");
  EXPECT_THAT(text(board + "/expected.txt"), HasSubstr("gpu = 17000000.gpu"));
  ProgramRun again(line(file("b.tar"), board));
  ASSERT_EQ(again.finish(), 0) << again.err();
  EXPECT_EQ(text(unpacked(file("b.tar"), "b") + "/tree.txt"), text(board + "/tree.txt"));
}

TEST_F(RecordBoard, ReplacesNoFileUnlessTold) {
  std::ofstream(file("a.tar")) << "mine";
  EXPECT_EQ(record(file("a.tar")), 1);
  EXPECT_THAT(err_, AllOf(HasSubstr("a.tar"), HasSubstr("--force")));
  EXPECT_EQ(text(file("a.tar")), "mine");
  EXPECT_EQ(record(file("a.tar"), {"--force"}), 0) << err_;
  EXPECT_NE(text(file("a.tar")), "mine");
}

TEST_F(RecordBoard, NamesAPathThatCannotBeWritten) {
  EXPECT_EQ(record(file("no-such-folder/a.tar")), 1);
  EXPECT_THAT(err_, AllOf(HasSubstr("no-such-folder/a.tar"), HasSubstr("No such file or directory")));
}

TEST_F(RecordBoard, LeavesNothingBehindWhenTheFileCannotBeWrittenToItsEnd) {
  // A file size limit stands for a full disk: write(2) fails half-way.
  const std::string script = "trap '' XFSZ; ulimit -f 1; exec " SWEETSPOT_PROGRAM " record-board -o " + file("a.tar") +
                             " --sysfs-root " + board_.root();
  ProgramRun run({"/bin/bash", "-c", script});
  EXPECT_EQ(run.finish(), 1);
  EXPECT_THAT(run.err(), HasSubstr("File too large"));
  EXPECT_FALSE(fs::exists(file("a.tar")));
}

TEST_F(RecordBoard, FindsNoHardwareOnAMachineThatIsNoJetson) {
  const TemporaryFolder empty;
  ProgramRun run(line(file("a.tar"), empty.path()));
  EXPECT_EQ(run.finish(), 3);
  EXPECT_THAT(run.err(), HasSubstr("no Jetson"));
  EXPECT_FALSE(fs::exists(file("a.tar")));
}

TEST_F(RecordBoard, SaysThatTheGpuIsMissingFromTheRecording) {
  board_.remove("/sys/class/devfreq");
  ASSERT_EQ(record(file("a.tar")), 0) << err_;
  EXPECT_THAT(out_, HasSubstr("no GPU node is there yet"));
}

TEST_F(RecordBoard, ReportsInJson) {
  ASSERT_EQ(record(file("a.tar"), {"--json"}), 0) << err_;
  const auto report = nlohmann::json::parse(out_);
  EXPECT_EQ(report.at("name"), "tegra234");
  EXPECT_EQ(report.at("file"), file("a.tar"));
  EXPECT_EQ(report.at("has_gpu"), true);
  EXPECT_GT(report.at("files"), 10);
}

TEST_F(RecordBoard, NeedsAnOutput) {
  ProgramRun run({SWEETSPOT_PROGRAM, "record-board"});
  EXPECT_EQ(run.finish(), 2);
  EXPECT_THAT(run.err(), HasSubstr("--output"));
}

}  // namespace
}  // namespace sweetspot
