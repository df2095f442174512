// SPDX-License-Identifier: Apache-2.0
#include "tests/client/program_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace sweetspot::tests {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};
Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return {UniqueFd(ends[0]), UniqueFd(ends[1])};
}

void drain(pollfd& waiting, UniqueFd& fd, std::string& into) {
  if (waiting.revents == 0) return;
  std::array<char, 4096> buffer;
  const ssize_t count = ::read(fd.value(), buffer.data(), buffer.size());
  if (count <= 0) return fd.reset();
  into.append(buffer.data(), static_cast<std::size_t>(count));
}

}  // namespace

ProgramRun::ProgramRun(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out.write_end.value(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write_end.value(), STDERR_FILENO);
  const int code = ::posix_spawnp(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) throw std::runtime_error("cannot start " + command[0]);
  out_fd_ = std::move(out.read_end);
  err_fd_ = std::move(err.read_end);
}

ProgramRun::~ProgramRun() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

bool ProgramRun::read_some(int timeout_ms) {
  std::array<pollfd, 2> waiting{pollfd{out_fd_.value(), POLLIN, 0}, pollfd{err_fd_.value(), POLLIN, 0}};
  ::poll(waiting.data(), waiting.size(), timeout_ms);
  drain(waiting[0], out_fd_, out_);
  drain(waiting[1], err_fd_, err_);
  return out_fd_ || err_fd_;
}

bool ProgramRun::wait_for(const std::string& text, const std::string& stream) {
  const auto deadline = Clock::now() + std::chrono::seconds(30);
  while (stream.find(text) == std::string::npos) {
    if (!read_some(1000) || Clock::now() > deadline) return stream.find(text) != std::string::npos;
  }
  return true;
}

void ProgramRun::signal(int number) const {
  ::kill(pid_, number);
}

int ProgramRun::finish() {
  const auto deadline = Clock::now() + std::chrono::seconds(60);
  while (read_some(1000)) {
    if (Clock::now() > deadline) return -1;
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace sweetspot::tests
