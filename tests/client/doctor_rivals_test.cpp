// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/doctor_rivals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "places.hpp"
#include "sweetspot/platform/board_identity.hpp"
#include "tests/support/recorded_attributes.hpp"

namespace sweetspot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::RecordedAttributes;
using tests::TreeAttributes;
using Verdict = Finding::Verdict;

/// A system with one process; arguments are separated as /proc has them.
TreeAttributes running(const std::vector<std::string>& arguments) {
  TreeAttributes system;
  std::string line;
  for (const std::string& word : arguments) line += word + '\0';
  system.set("/proc/812/cmdline", line);
  system.set("/proc/2/cmdline", "");
  system.set("/proc/meminfo", "MemTotal: 1");
  return system;
}

Finding only(const std::vector<Finding>& findings) {
  EXPECT_EQ(findings.size(), 1U);
  return findings.empty() ? Finding{} : findings.front();
}

TEST(DoctorRivals, AreNoneOnAQuietSystem) {
  for (const TreeAttributes& system : {TreeAttributes{}, running({"/usr/bin/python3", "train.py"})}) {
    const Finding none = only(rival_findings(system));
    EXPECT_EQ(none.verdict, Verdict::ok);
    EXPECT_EQ(none.check, "rivals");
    EXPECT_THAT(none.detail, HasSubstr("jtop"));
  }
}

TEST(DoctorRivals, AreFoundByWhatRuns) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
      {"jtop", {"/usr/bin/python3", "/usr/local/bin/jtop", "--force"}},
      {"nvpmodel indicator", {"python3", "/usr/share/nvpmodel_indicator/nvpmodel_indicator.py"}},
      {"nvpmodel", {"/usr/sbin/nvpmodel", "-m", "2"}},
      {"jetson_clocks", {"/bin/bash", "/usr/bin/jetson_clocks"}},
      {"power-profiles-daemon", {"/usr/libexec/power-profiles-daemon"}},
      {"tuned", {"/usr/bin/python3", "-Es", "/usr/sbin/tuned", "-l", "-P"}},
  };
  for (const auto& [name, arguments] : cases) {
    const Finding rival = only(rival_findings(running(arguments)));
    EXPECT_EQ(rival.check, "rival: " + name);
    EXPECT_EQ(rival.verdict, Verdict::warn);
    EXPECT_THAT(rival.detail, HasSubstr("process 812"));
    EXPECT_FALSE(rival.fix.empty());
  }
}

TEST(DoctorRivals, AreNotWhoeverNamesThem) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"vim", "/usr/local/bin/jtop"},
                                                                     {"grep", "jetson_clocks", "/etc/rc.local"},
                                                                     {"python3", "-c", "import jtop"},
                                                                     {"/opt/jtop-exporter"}})
    EXPECT_EQ(only(rival_findings(running(arguments))).verdict, Verdict::ok) << arguments.front();
}

TEST(DoctorRivals, AreFoundByTheirUnitsToo) {
  TreeAttributes active;
  active.set("/sys/fs/cgroup/system.slice/tuned.service/cgroup.procs", "900");
  EXPECT_THAT(only(rival_findings(active)).detail, HasSubstr("tuned.service is active"));
  TreeAttributes old_hierarchy;
  old_hierarchy.set("/sys/fs/cgroup/systemd/system.slice/jtop.service/cgroup.procs", "900");
  EXPECT_THAT(only(rival_findings(old_hierarchy)).detail, HasSubstr("jtop.service is active"));
  TreeAttributes enabled;
  enabled.set("/usr/lib/systemd/system/jtop.service", "[Unit]");
  enabled.link("/etc/systemd/system/multi-user.target.wants/jtop.service", "/usr/lib/systemd/system/jtop.service");
  const Finding later = only(rival_findings(enabled));
  EXPECT_THAT(later.detail, HasSubstr("after the next boot"));
  EXPECT_THAT(later.fix, HasSubstr("systemctl disable --now jtop.service"));
}

TEST(DoctorRivals, AreAllNamedWhenThereAreMany) {
  TreeAttributes system = running({"/usr/sbin/nvpmodel", "-m", "0"});
  system.set("/sys/fs/cgroup/system.slice/tuned.service/cgroup.procs", "900");
  EXPECT_EQ(rival_findings(system).size(), 2U);
}

/// What jetson_clocks left on the recorded AGX Orin.
class JetsonClocks : public ::testing::Test {
 protected:
  std::vector<Finding> findings() {
    const auto gpu = find_gpu(board_, identify_board(board_));
    EXPECT_TRUE(gpu);
    return jetson_clocks_findings(system_, {store, "/root-home/l4t_dfs.conf"}, board_, *gpu);
  }
  static constexpr const char* store = "/somebody/l4t_dfs.conf";
  TreeAttributes system_;
  RecordedAttributes board_ = RecordedAttributes::from_file(SWEETSPOT_SOURCE_DIR "/tests/data/agx-orin-jp6/tree.txt");
};

TEST_F(JetsonClocks, HaveLeftNothing) {
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(JetsonClocks, StoredWhileTheClockWasPinned) {
  system_.set(store, "/sys/kernel/debug/x/rate:1\n/sys/devices/17000000.gpu/devfreq/17000000.gpu/min_freq:612000000\n");
  const Finding finding = only(findings());
  EXPECT_EQ(finding.verdict, Verdict::warn);
  EXPECT_THAT(finding.detail, HasSubstr("612 MHz"));
  EXPECT_THAT(finding.fix, HasSubstr(store));
}

TEST_F(JetsonClocks, StoredWhileTheGpuWasFree) {
  system_.set(store, "/sys/devices/platform/17000000.gpu/devfreq_dev/min_freq:306000000");
  EXPECT_EQ(only(findings()).verdict, Verdict::ok);
}

TEST_F(JetsonClocks, StoredSomethingElseOrRubbish) {
  for (const char* text : {"", "rubbish", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_min_freq:729600",
                           "/sys/devices/17000000.gpu/devfreq/17000000.gpu/min_freq:", "/min_freq:1\n:/min_freq:2"}) {
    system_.set(store, text);
    EXPECT_THAT(findings(), IsEmpty()) << text;
  }
}

TEST_F(JetsonClocks, SwitchedPowerGatingOff) {
  board_.set("/sys/devices/platform/bus@0/17000000.gpu/railgate_enable", "0");
  const Finding finding = only(findings());
  EXPECT_EQ(finding.check, "power gating");
  EXPECT_EQ(finding.verdict, Verdict::warn);
  EXPECT_THAT(finding.fix, HasSubstr("railgate_enable"));
}

}  // namespace
}  // namespace sweetspot
