// SPDX-License-Identifier: Apache-2.0
#include "simulator/child.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace sweetspot {

namespace {

[[noreturn]] void become(char* const* arguments, int output, std::optional<uid_t> user) {
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (user && (setgroups(0, nullptr) != 0 || setgid(*user) != 0 || setuid(*user) != 0)) _exit(126);
  execvp(arguments[0], arguments);
  _exit(127);
}

}  // namespace

Ending run_child(const std::vector<std::string>& words, std::optional<uid_t> user) {
  std::vector<std::string> copy = words;
  std::vector<char*> arguments;
  for (auto& word : copy) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), ends[1], user);
  close(ends[1]);
  Ending ending;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    ending.output.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) ending.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
  return ending;
}

}  // namespace sweetspot
