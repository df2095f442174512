// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "apps/sweetspot/doctor_board.hpp"
#include "places.hpp"
#include "tests/client/board_tree.hpp"
#include "tests/support/recorded_attributes.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using tests::BoardTree;
using Verdict = Finding::Verdict;

const GroupFacts service{.name = "sweetspot", .gid = 990, .members = {}};
const GroupFacts users{.name = "sweetspot-users", .gid = 991, .members = {"anne"}};
const UserFacts anne{.name = "anne", .uid = 1000, .groups = {1000}};
const UserFacts member{.name = "anne", .uid = 1000, .groups = {1000, 991}};
const UserFacts bert{.name = "bert", .uid = 1001, .groups = {1001}};

FileAccess limit_file(mode_t mode, gid_t gid, const std::string& group) {
  return {
      .path = "/sys/x/min_freq", .mode = S_IFREG | mode, .gid = gid, .owner = "root", .group = group, .may_read = true};
}

TEST(DoctorLimitFile, IsTheServicesToWrite) {
  const Finding finding = limit_file_finding(limit_file(0664, 990, "sweetspot"), service);
  EXPECT_EQ(finding.verdict, Verdict::ok);
  EXPECT_EQ(finding.check, "write min_freq");
  EXPECT_EQ(finding.detail, "the service's group may (root:sweetspot, mode 0664)");
}

TEST(DoctorLimitFile, IsNotTheServicesYet) {
  const Finding finding = limit_file_finding(limit_file(0644, 0, "root"), service);
  EXPECT_EQ(finding.verdict, Verdict::warn);
  EXPECT_THAT(finding.fix, HasSubstr("sudo sweetspotd --grant-access sweetspot"));
}

TEST(DoctorLimitFile, IsAnotherGroups) {
  EXPECT_EQ(limit_file_finding(limit_file(0664, 44, "video"), service).verdict, Verdict::warn);
  EXPECT_EQ(limit_file_finding(limit_file(0664, 44, "video"), std::nullopt).verdict, Verdict::ok);
}

TEST(DoctorLimitFile, IsRootsWhereNoServiceIsInstalled) {
  FileAccess file = limit_file(0644, 0, "root");
  EXPECT_EQ(limit_file_finding(file, std::nullopt).verdict, Verdict::warn);
  file.may_write = true;
  EXPECT_EQ(limit_file_finding(file, std::nullopt).verdict, Verdict::ok);
}

TEST(DoctorLimitFile, IsEverybodys) {
  EXPECT_THAT(limit_file_finding(limit_file(0666, 0, "root"), service).fix, HasSubstr("chmod o-w"));
}

TEST(DoctorLimitFile, LiesOnAReadOnlySystem) {
  FileAccess file = limit_file(0644, 0, "root");
  file.on_read_only_system = true;
  const Finding finding = limit_file_finding(file, service);
  EXPECT_EQ(finding.verdict, Verdict::fail);
  EXPECT_THAT(finding.fix, HasSubstr("on the host"));
}

TEST(DoctorReadAccess, NamesWhatCannotBeRead) {
  FileAccess good = limit_file(0444, 0, "root");
  FileAccess bad = limit_file(0400, 0, "root");
  bad.path = "/sys/x/curr1_input";
  bad.may_read = false;
  EXPECT_EQ(readable_finding({good, good}).detail, "to all 2 files");
  const Finding finding = readable_finding({good, bad});
  EXPECT_EQ(finding.verdict, Verdict::fail);
  EXPECT_THAT(finding.detail, HasSubstr("curr1_input (root:root, mode 0400)"));
  EXPECT_THAT(finding.fix, HasSubstr("curr1_input"));
}

FileAccess socket_file(mode_t mode, bool may_write) {
  return {
      .path = "/run/s", .mode = S_IFSOCK | mode, .owner = "root", .group = "sweetspot-users", .may_write = may_write};
}

TEST(DoctorSocket, IsForItsGroupAndNobodyElse) {
  EXPECT_EQ(socket_finding(socket_file(0660, true)).verdict, Verdict::ok);
  EXPECT_THAT(socket_finding(socket_file(0660, false)).fix, HasSubstr("usermod -aG sweetspot-users"));
  EXPECT_EQ(socket_finding(socket_file(0666, true)).verdict, Verdict::warn);
  EXPECT_EQ(socket_finding({.path = "/run/s", .code = ENOENT}).verdict, Verdict::warn);
  EXPECT_EQ(socket_finding({.path = "/run/s", .code = EACCES}).verdict, Verdict::fail);
  FileAccess folder = socket_file(0755, true);
  folder.mode = S_IFDIR | 0755;
  EXPECT_THAT(socket_finding(folder).detail, HasSubstr("no socket"));
}

TEST(DoctorRuntimeFolder, IsPrivate) {
  FileAccess folder{.path = "/run/private", .mode = S_IFDIR | 0700, .owner = "sweetspot", .group = "sweetspot"};
  EXPECT_EQ(runtime_folder_finding(folder).verdict, Verdict::ok);
  folder.mode = S_IFDIR | 0770;
  EXPECT_EQ(runtime_folder_finding(folder).verdict, Verdict::fail);
  EXPECT_THAT(runtime_folder_finding(folder).fix, HasSubstr("chmod 0700"));
  EXPECT_EQ(runtime_folder_finding({.path = "/run/private", .code = ENOENT}).verdict, Verdict::skip);
}

TEST(DoctorGroup, CountsFromTheNextLogin) {
  EXPECT_EQ(users_group_finding(member, users).verdict, Verdict::ok);
  const Finding joined = users_group_finding(anne, users);
  EXPECT_EQ(joined.verdict, Verdict::warn);
  EXPECT_EQ(joined.fix, "log in again");
  EXPECT_THAT(users_group_finding(bert, users).fix, HasSubstr("usermod -aG sweetspot-users"));
  EXPECT_THAT(users_group_finding(bert, std::nullopt).detail, HasSubstr("no group sweetspot-users"));
  EXPECT_EQ(users_group_finding({.name = "root", .uid = 0, .groups = {0}}, std::nullopt).verdict, Verdict::ok);
}

TEST(DoctorJournal, IsReadableAndKept) {
  const JournalFacts good{.running = true, .persistent = true, .readable = true};
  EXPECT_EQ(journal_finding(anne, good).verdict, Verdict::ok);
}

TEST(DoctorJournal, NamesTheGroupThatReadsIt) {
  const GroupFacts readers{.name = "systemd-journal", .gid = 101, .members = {"anne"}};
  const JournalFacts closed{.running = true, .persistent = true, .readers = {readers}};
  EXPECT_THAT(journal_finding(bert, closed).fix, HasSubstr("usermod -aG systemd-journal"));
  EXPECT_EQ(journal_finding(anne, closed).fix, "log in again");
}

TEST(DoctorJournal, IsGoneAfterARebootUnlessKept) {
  const Finding finding = journal_finding(anne, {.running = true, .persistent = false, .readable = true});
  EXPECT_EQ(finding.verdict, Verdict::warn);
  EXPECT_THAT(finding.fix, HasSubstr("/var/log/journal"));
  EXPECT_EQ(journal_finding(anne, {}).verdict, Verdict::skip);
}

TEST(DoctorAccess, LooksAtEveryFileThatHasToBeRead) {
  const BoardTree tree;
  const FileAttributes board(tree.root());
  const auto gpu = find_gpu(board, identify_board(board));
  ASSERT_TRUE(gpu);
  const auto findings = access_findings(board, *gpu);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].check, "write min_freq");
  EXPECT_EQ(findings[1].check, "write max_freq");
  // Five of the node, load, is_railgated, voltage and current of two rails.
  EXPECT_EQ(findings[2].detail, "to all 11 files");
}

TEST(DoctorBoardOnRecordedBoards, ReadsThemAllAndEachFailureNamesItsFix) {
  for (const char* name :
       {"agx-orin-jp5", "agx-orin-jp6", "agx-xavier-jp4", "nano-jp4", "orin-nano-super", "orin-nx", "thor-jp7"}) {
    const auto board =
        tests::RecordedAttributes::from_file(std::string(SWEETSPOT_SOURCE_DIR "/tests/data/") + name + "/tree.txt");
    const BoardFindings seen = board_findings(board, std::nullopt);
    EXPECT_TRUE(seen.gpu) << name;
    for (const Finding& finding : seen.findings) {
      if (finding.verdict == Verdict::fail) {
        EXPECT_FALSE(finding.fix.empty()) << name << ": " << finding.check;
      }
    }
  }
}

}  // namespace
}  // namespace sweetspot
