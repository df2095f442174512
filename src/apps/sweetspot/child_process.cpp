// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {
namespace {

// Only async-signal-safe calls from here on.
[[noreturn]] void become(char* const* arguments, const sigset_t& mask, const struct sigaction& child_action, int report,
                         const ChildManner& manner, pid_t parent) {
  if (manner.output >= 0) {
    ::dup2(manner.output, STDOUT_FILENO);
    ::dup2(manner.output, STDERR_FILENO);
  }
  if (manner.ends_with_us) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);  // it ended before it could be asked for
  }
  ::sigaction(SIGCHLD, &child_action, nullptr);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execvp(arguments[0], arguments);
  const int code = errno;
  // Nobody is left to tell when this write fails.
  [[maybe_unused]] const ssize_t written = ::write(report, &code, sizeof code);
  ::_exit(127);
}

// exec's errno, or 0: the pipe closes by itself when exec succeeds.
int exec_outcome(int report) {
  int code = 0;
  ssize_t count = 0;
  do {
    count = ::read(report, &code, sizeof code);
  } while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(sizeof code) ? code : 0;
}

void pass_on(const SignalFeed::Signal& signal, const ChildProcess& child) {
  if (signal.from_process) child.signal(signal.number);
  // A shell has to see its job stop; the command stops by the signal it got. SIGCONT wakes both.
  if (signal.number == SIGTSTP) ::raise(SIGSTOP);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command, const sigset_t& mask,
                                         const ChildManner& manner) {
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failure(std::string("pipe: ") + std::strerror(errno), errno);
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  // A parent that ignores SIGCHLD would leave us no status to wait for; the command gets its setting back.
  struct sigaction default_action {};
  struct sigaction found_action {};
  default_action.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &default_action, &found_action);

  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return failure(std::string("fork: ") + std::strerror(errno), errno);
  if (pid == 0) become(arguments.data(), mask, found_action, write_end.value(), manner, parent);
  write_end.reset();
  const int code = exec_outcome(read_end.value());
  if (code == 0) return ChildProcess(pid);
  ::waitpid(pid, nullptr, 0);
  return failure(command.front() + ": " + std::strerror(code), code);
}

// Not const: it reaps the child. NOLINTNEXTLINE(readability-make-member-function-const)
std::optional<int> ChildProcess::status_if_ended() {
  int status = 0;
  const pid_t ended = ::waitpid(pid_, &status, WNOHANG);
  if (ended != pid_) return std::nullopt;
  if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return WEXITSTATUS(status);
}

void ChildProcess::signal(int number) const {
  ::kill(pid_, number);
}

int exec_failure_status(int code) {
  return code == ENOENT ? 127 : 126;
}

int wait_for_command(ChildProcess& child, SignalFeed& signals, int watched_fd,
                     const std::function<void()>& on_readable) {
  std::array<pollfd, 2> waiting{pollfd{signals.fd(), POLLIN, 0}, pollfd{watched_fd, POLLIN, 0}};
  while (true) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;  // EINTR after a stop
    while (const auto signal = signals.next()) {
      if (signal->number != SIGCHLD) pass_on(*signal, child);
    }
    if (const auto status = child.status_if_ended()) return *status;
    if (waiting[1].revents == 0) continue;
    waiting[1].fd = -1;
    on_readable();
  }
}

}  // namespace sweetspot
