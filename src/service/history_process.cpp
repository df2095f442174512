// SPDX-License-Identifier: Apache-2.0
#include "service/history_process.hpp"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>

#include "service/steady_now.hpp"

namespace sweetspot {
namespace {

constexpr const char* program_name = "sweetspotd-history";
constexpr Duration end_patience = seconds(5);

Error said(const char* what, int code) {
  return Error{std::string(program_name) + ": " + what + ": " + std::strerror(code), code};
}

/// Its end of the conversation becomes standard input and output.
int spawn_program(const std::vector<std::string>& command, int talk, pid_t& pid) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, talk, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, talk, STDOUT_FILENO);
  // Signals stay blocked as in the daemon's threads: a stop of the unit must not end it in the middle of its work.
  const int status = ::posix_spawn(&pid, words[0], &actions, nullptr, words.data(), ::environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return status;
}

}  // namespace

Result<std::string> history_program() {
  std::array<char, PATH_MAX> self{};
  const ssize_t length = ::readlink("/proc/self/exe", self.data(), self.size());
  if (length <= 0) return failure(said("read /proc/self/exe", errno));
  std::string folder(self.data(), static_cast<std::size_t>(length));
  folder.resize(folder.rfind('/') + 1);
  for (const char* place : {"", "../libexec/sweetspotd/"}) {
    const std::string path = folder + place + program_name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return failure(std::string(program_name) + " is neither in " + folder + " nor in " + folder + "../libexec/sweetspotd",
                 ENOENT);
}

Result<HistoryProcess> HistoryProcess::start(const std::vector<std::string>& command, const Wakeup& hurry) {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return failure(said("socketpair", errno));
  UniqueFd ours(ends[0]);
  const UniqueFd theirs(ends[1]);
  pid_t pid = -1;
  if (const int status = spawn_program(command, theirs.value(), pid); status != 0)
    return failure(command[0] + ": " + std::strerror(status), status);
  return HistoryProcess(pid, std::move(ours), hurry);
}

HistoryProcess::HistoryProcess(HistoryProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      talk_(std::move(other.talk_)),
      hurry_(other.hurry_),
      of_use_(other.of_use_) {}

HistoryProcess::~HistoryProcess() {
  if (pid_ < 0) return;
  ::shutdown(talk_.value(), SHUT_WR);
  const Instant deadline = steady_now() + end_patience;
  std::array<char, 64> rest{};
  Result<void> heard;
  // Its end of the socket closes as it ends.
  while ((heard = wait_for(POLLIN, deadline)) && ::recv(talk_.value(), rest.data(), rest.size(), 0) > 0) {
  }
  if (!heard && heard.error().code == ETIMEDOUT) ::kill(pid_, SIGKILL);
  // One that this process does not wait for ends by itself; init reaps it.
  ::waitpid(pid_, nullptr, heard ? 0 : WNOHANG);
}

Result<void> HistoryProcess::keep(const std::string& batch, Duration patience) {
  const Instant deadline = steady_now() + patience;
  of_use_ = false;
  if (auto sent = send(batch, deadline); !sent) return sent;
  auto answered = answer(deadline);
  if (!answered) return failure(std::move(answered.error()));
  of_use_ = true;
  if (*answered == "kept") return {};
  return failure(*std::move(answered));
}

Result<void> HistoryProcess::wait_for(short events, Instant deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_now());
    if (left.count() <= 0) return failure(said("has not come back", ETIMEDOUT));
    std::array<pollfd, 2> polled{{{talk_.value(), events, 0}, {hurry_->fd(), POLLIN, 0}}};
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(left.count()));
    if (ready < 0 && errno != EINTR) return failure(said("poll", errno));
    if (ready > 0 && polled[1].revents != 0) return failure(said("the daemon stops", ECANCELED));
    if (ready > 0 && polled[0].revents != 0) return {};
  }
}

Result<void> HistoryProcess::send(const std::string& batch, Instant deadline) {
  std::size_t sent = 0;
  while (sent < batch.size()) {
    if (auto ready = wait_for(POLLOUT, deadline); !ready) return ready;
    const ssize_t n = ::send(talk_.value(), batch.data() + sent, batch.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return failure(said("has ended", errno));
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  return {};
}

Result<std::string> HistoryProcess::answer(Instant deadline) {
  std::string line;
  std::array<char, 1024> chunk{};
  while (line.empty() || line.back() != '\n') {
    if (auto ready = wait_for(POLLIN, deadline); !ready) return failure(std::move(ready.error()));
    const ssize_t n = ::recv(talk_.value(), chunk.data(), chunk.size(), MSG_DONTWAIT);
    if (n == 0) return failure(std::string(program_name) + " has ended without an answer", EPIPE);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return failure(said("recv", errno));
    if (n > 0) line.append(chunk.data(), static_cast<std::size_t>(n));
  }
  line.pop_back();
  return line;
}

}  // namespace sweetspot
