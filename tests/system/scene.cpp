// SPDX-License-Identifier: Apache-2.0
#include "tests/system/scene.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <ostream>
#include <system_error>
#include <utility>

namespace sweetspot::tests {

std::ostream& operator<<(std::ostream& out, const Limits& limits) {
  return out << limits.min << " to " << limits.max << " Hz";
}

Limits limits_of(const SimulatedBoard& board) {
  return {std::stoull(board.read(board.gpu("min_freq"))), std::stoull(board.read(board.gpu("max_freq")))};
}

json job_at(std::uint64_t clock, json more) {
  more["policy"] = "fixed";
  more["frequency_hz"] = clock;
  return {{"spec", std::move(more)}};
}

BoardLoad::BoardLoad(const SimulatedBoard& board, const std::string& workload)
    : control_(::open((board.root() + "/control").c_str(), O_WRONLY | O_CLOEXEC)) {
  const std::string line = "load start " + workload + "\n";
  if (::write(control_, line.data(), line.size()) < 0) throw std::system_error(errno, std::generic_category(), line);
}

BoardLoad::~BoardLoad() {
  ::close(control_);
}

std::string clock_condition(const RunningDaemon& daemon) {
  return daemon.status().at("clock").at("condition").get<std::string>();
}

bool clock_becomes(const RunningDaemon& daemon, const std::string& condition, Clock::duration limit) {
  return eventually([&] { return clock_condition(daemon) == condition; }, limit);
}

bool health_becomes(const RunningDaemon& daemon, const std::string& reason, Clock::duration limit) {
  return eventually([&] { return daemon.health().count(reason) == 1; }, limit);
}

bool health_loses(const RunningDaemon& daemon, const std::string& reason, Clock::duration limit) {
  return eventually([&] { return daemon.health().count(reason) == 0; }, limit);
}

void Times::add(Clock::duration time) {
  all.insert(std::upper_bound(all.begin(), all.end(), time), time);
}

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

Watcher::Watcher(const RunningDaemon& daemon) : client_(daemon.connect()) {
  client_.send_call("Watch", {{"period_ms", 60000}}, {{"more", true}});
  (void)next("sample");  // from now on it watches
}

json Watcher::next(const std::string& kind, Clock::duration limit) {
  const auto deadline = Clock::now() + limit;
  while (const auto message = client_.receive(deadline - Clock::now())) {
    const json& event = message->at("parameters").at("event");
    if (event.at("kind") == kind) return event;
  }
  return nullptr;
}

ChildProcess::ChildProcess(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  output_ = ends[0];
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ > 0) {
    ::close(ends[1]);
    return;
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  std::string word;
  try {
    word = body();
  } catch (const std::exception& error) {
    word = error.what();
  }
  word += '\n';  // the pipe may stay open in children of the child
  (void)!::write(ends[1], word.data(), word.size());
  ::close(ends[1]);
  for (;;) ::pause();
}

ChildProcess::~ChildProcess() {
  kill();
  reap();
  if (output_ >= 0) ::close(output_);
}

std::string ChildProcess::word() {
  std::string text;
  std::array<char, 4096> buffer{};
  ssize_t size = 0;
  while ((text.empty() || text.back() != '\n') && (size = ::read(output_, buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), static_cast<std::size_t>(size));
  if (!text.empty()) text.pop_back();
  return text;
}

void ChildProcess::kill() const {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
}

void ChildProcess::reap() {
  if (pid_ > 0) ::waitpid(std::exchange(pid_, -1), nullptr, 0);
}

std::function<std::string()> body_with_job(const RunningDaemon& daemon, const json& parameters) {
  return [socket = daemon.socket(), parameters] {
    auto* client = new VarlinkTestClient(socket);  // never destroyed: the child sleeps with the connection open
    return client->ask("StartJob", parameters).dump();
  };
}

}  // namespace sweetspot::tests
