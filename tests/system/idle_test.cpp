// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/system/scene.hpp"

// A daemon that nobody asks for anything costs nothing, and one that is asked ten thousand times keeps nothing.
namespace sweetspot::tests {
namespace {

using Idle = SystemTest;

std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  DIR* dir = ::opendir(folder.c_str());
  if (dir == nullptr) return names;
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  ::closedir(dir);
  return names;
}

/// The number after `key` in a /proc file of lines "key:   number …".
long number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stol(line.substr(key.size() + 1));
  }
  return -1;
}

/// The thread sanitizer has a thread of its own that wakes all the time. It bears the program's name, as the main
/// thread does; all of ours have names of their own.
bool is_the_sanitizers([[maybe_unused]] pid_t pid, [[maybe_unused]] const std::string& thread) {
#ifdef __SANITIZE_THREAD__
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + thread + "/comm");
  std::string name;
  return thread != std::to_string(pid) && std::getline(file, name) && name == "sweetspotd";
#else
  return false;
#endif
}

/// Context switches of each thread, wanted or not.
std::map<std::string, long> context_switches(pid_t pid) {
  std::map<std::string, long> switches;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task/";
  for (const std::string& thread : entries_of(folder)) {
    if (is_the_sanitizers(pid, thread)) continue;
    const std::string status = folder + thread + "/status";
    switches[thread] = number_in(status, "voluntary_ctxt_switches") + number_in(status, "nonvoluntary_ctxt_switches");
  }
  return switches;
}

/// How many timerfds of the process would fire some day.
int armed_timers(pid_t pid) {
  int armed = 0;
  const std::string folder = "/proc/" + std::to_string(pid) + "/fdinfo/";
  for (const std::string& fd : entries_of(folder)) {
    std::ifstream file(folder + fd);
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("it_value:", 0) == 0 && line.find("(0, 0)") == std::string::npos) ++armed;
    }
  }
  return armed;
}

std::size_t open_files(pid_t pid) {
  return entries_of("/proc/" + std::to_string(pid) + "/fd").size();
}

long resident_kib(pid_t pid) {
  return number_in("/proc/" + std::to_string(pid) + "/status", "VmRSS");
}

void start_and_end(VarlinkTestClient& client, const json& parameters) {
  const json job = client.ask("StartJob", parameters);
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
}

TEST_F(Idle, NoThreadWakesAndNoTimerIsArmed) {
  const RunningDaemon daemon(board().root());
  {
    auto client = daemon.connect();
    start_and_end(client, job_at(mhz(612)));
    ASSERT_TRUE(clock_becomes(daemon, "released"));
  }
  // The thread that wrote the history has gone, the last connection is seen to be gone, and whoever had work has done
  // it.
  ASSERT_TRUE(eventually([&] { return context_switches(daemon.pid()).size() == 3; })) << "loop, clock and sampler";
  auto before = context_switches(daemon.pid());
  ASSERT_TRUE(eventually([&] {
    ::poll(nullptr, 0, 300);
    const auto now = context_switches(daemon.pid());
    return now == std::exchange(before, now);
  }));
  EXPECT_EQ(armed_timers(daemon.pid()), 0);
  EXPECT_TRUE(stays([&] { return context_switches(daemon.pid()) == before; }, std::chrono::seconds(10)));
}

TEST_F(Idle, TheTimersOfAJobGoWithIt) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const json job = client.ask("StartJob", job_at(mhz(612), {{"lease_s", 3600}}));
  EXPECT_TRUE(eventually([&] { return armed_timers(daemon.pid()) > 0; }));
  client.ask("EndJob", {{"job_id", job.at("job_id")}});
  EXPECT_TRUE(eventually([&] { return armed_timers(daemon.pid()) == 0; }));
}

TEST_F(Idle, TheTimersOfAWatcherGoWithIt) {
  const RunningDaemon daemon(board().root());
  {
    const Watcher watcher(daemon);
    EXPECT_TRUE(eventually([&] { return armed_timers(daemon.pid()) > 0; }));
    EXPECT_TRUE(daemon.status().at("sampler").at("running"));
  }
  EXPECT_TRUE(eventually([&] { return armed_timers(daemon.pid()) == 0; }));
  EXPECT_FALSE(daemon.status().at("sampler").at("running"));
}

TEST_F(Idle, TenThousandJobsOnOneConnectionLeaveNoFileAndNoMemoryBehind) {
  // Sanitizers keep freed memory back, and take their time.
  const int jobs = slowness == 1 ? 10'000 : 500;
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  // A job without a pin: the daemon's own work, most of which a pin would hide behind the board's.
  const json plain{{"spec", {{"policy", "none"}, {"name", "one of many"}}}};
  for (int i = 0; i < jobs / 10; ++i) start_and_end(client, plain);
  (void)client.ask("GetStatus");  // the turn of the loop that ended the last job is over, its pidfd closed
  const std::size_t files = open_files(daemon.pid());
  const long memory = resident_kib(daemon.pid());
  for (int i = 0; i < jobs; ++i) start_and_end(client, plain);
  EXPECT_TRUE(eventually([&] { return open_files(daemon.pid()) == files; }))
      << open_files(daemon.pid()) << " open files, " << files << " before";
  EXPECT_LE(resident_kib(daemon.pid()) - memory, slowness == 1 ? 1024 : 256 * 1024) << "KiB";
  EXPECT_TRUE(daemon.status().at("jobs").empty());
  EXPECT_EQ(limits_of(board()), untouched);
}

TEST_F(Idle, WhatWritesTheHistoryGoesWithItsWork) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  const auto files_after_a_job = [&] {
    start_and_end(client, {{"spec", {{"policy", "none"}}}});
    EXPECT_TRUE(eventually([&] { return std::filesystem::exists(daemon.state_dir() + "/history.db"); }));
    EXPECT_TRUE(eventually([&] { return context_switches(daemon.pid()).size() == 3; })) << "loop, clock and sampler";
    (void)client.ask("GetStatus");  // the turn of the loop that ended the job is over, its pidfd closed
    return open_files(daemon.pid());
  };
  (void)files_after_a_job();  // the board was found meanwhile, and what is read of it is kept open from now on
  const std::size_t files = files_after_a_job();
  EXPECT_EQ(files_after_a_job(), files);
  const std::string proc = "/proc/" + std::to_string(daemon.pid());
  std::ifstream maps(proc + "/maps");
  const std::string mapped((std::istreambuf_iterator<char>(maps)), {});
  EXPECT_EQ(mapped.find("sqlite"), std::string::npos) << "neither the library nor the file";
  std::ifstream children(proc + "/task/" + std::to_string(daemon.pid()) + "/children");
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(children)), {}), "");
}

TEST_F(Idle, AHundredPinsLeaveNoFileBehind) {
  const RunningDaemon daemon(board().root());
  auto client = daemon.connect();
  for (int i = 0; i < 5; ++i) start_and_end(client, job_at(mhz(612)));
  ASSERT_TRUE(clock_becomes(daemon, "released"));
  (void)client.ask("GetStatus");
  const std::size_t files = open_files(daemon.pid());
  for (int i = 0; i < 100; ++i) start_and_end(client, job_at(mhz(i % 2 == 0 ? 612 : 816)));
  ASSERT_TRUE(clock_becomes(daemon, "released"));
  EXPECT_TRUE(eventually([&] { return open_files(daemon.pid()) == files; })) << open_files(daemon.pid());
  EXPECT_EQ(limits_of(board()), untouched);
}

}  // namespace
}  // namespace sweetspot::tests
