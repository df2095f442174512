// SPDX-License-Identifier: Apache-2.0
#include "support/simulated_board.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "places.hpp"

namespace sweetspot {

namespace {

using Clock = std::chrono::steady_clock;
// Generous: a loaded machine under a sanitizer.
constexpr auto patience = std::chrono::seconds(30);

struct Fd {
  explicit Fd(int fd) : number(fd) {}
  ~Fd() {
    if (number >= 0) close(number);
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  int number;
};

std::string fresh_directory() {
  const char* parent = std::getenv("TMPDIR");
  std::string pattern = std::string(parent == nullptr ? "/tmp" : parent) + "/sweetspot-board-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp " + pattern);
  chmod(pattern.c_str(), 0755);  // other users of the board may come in
  return pattern;
}

// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(char* const* arguments, int output, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execv(arguments[0], arguments);
  _exit(127);
}

pid_t spawn(std::vector<std::string> words, int output) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(arguments.data(), output, parent);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  return child;
}

bool ended_within(pid_t pid, Clock::duration limit) {
  const auto deadline = Clock::now() + limit;
  while (Clock::now() < deadline) {
    if (waitpid(pid, nullptr, WNOHANG) != 0) return true;
    poll(nullptr, 0, 2);
  }
  return false;
}

void detach(const std::string& directory) {
  if (geteuid() == 0) {
    umount2(directory.c_str(), MNT_DETACH);
  } else {
    const pid_t child = fork();
    if (child == 0) {
      execlp("fusermount3", "fusermount3", "-u", "-z", "-q", directory.c_str(), nullptr);
      _exit(127);
    }
    waitpid(child, nullptr, 0);
  }
}

}  // namespace

std::string SimulatedBoard::program() {
  return SWEETSPOT_SIM_PROGRAM;
}

std::optional<std::string> SimulatedBoard::unavailable() {
  const Fd device(open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (device.number < 0) return "/dev/fuse cannot be opened: " + std::generic_category().message(errno);
  if (access(program().c_str(), X_OK) != 0) return "sweetspot-sim is not built";
  return std::nullopt;
}

SimulatedBoard::SimulatedBoard(const std::string& board, const std::vector<std::string>& arguments)
    : base_(fresh_directory()), root_(base_ + "/board") {
  mkdir(root_.c_str(), 0755);
  std::vector<std::string> words{program(), "mount", "--board", board, root_};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe2");
  const Fd output(ends[0]);
  {
    const Fd input(ends[1]);
    pid_ = spawn(std::move(words), input.number);
  }
  try {
    wait_until_ready(output.number);
  } catch (...) {
    unmount();
    throw;
  }
}

SimulatedBoard::~SimulatedBoard() {
  unmount();
}

void SimulatedBoard::wait_until_ready(int output) const {
  std::string said;
  const auto deadline = Clock::now() + patience;
  while (said.find("ready\n") == std::string::npos) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{output, POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0)
      throw std::runtime_error("not ready in time: " + said);
    std::array<char, 1024> buffer{};
    const ssize_t size = ::read(output, buffer.data(), buffer.size());
    if (size <= 0) throw std::runtime_error(said);
    said.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

void SimulatedBoard::unmount() {
  if (pid_ > 0) {
    kill(pid_, SIGCONT);
    kill(pid_, SIGTERM);
    if (!ended_within(pid_, std::chrono::seconds(5))) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    pid_ = -1;
  }
  // Empty where all is well; where the simulator was killed, a dead mount is left.
  if (rmdir(root_.c_str()) != 0 && errno != ENOENT) {
    detach(root_);
    rmdir(root_.c_str());
  }
  rmdir(base_.c_str());
}

void SimulatedBoard::control(const std::string& line) const {
  if (write("control", line + "\n") != 0) throw std::runtime_error(read("control"));
}

int SimulatedBoard::write(const std::string& path, const std::string& text) const {
  const Fd file(open((root_ + "/" + path).c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number < 0) return errno;
  return ::write(file.number, text.data(), text.size()) < 0 ? errno : 0;
}

std::string SimulatedBoard::read(const std::string& path) const {
  const Fd file(open((root_ + "/" + path).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) throw std::system_error(errno, std::generic_category(), path);
  std::string text;
  std::array<char, 4096> buffer{};
  ssize_t size = 0;
  while ((size = ::read(file.number, buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  if (size < 0) throw std::system_error(errno, std::generic_category(), path);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

int SimulatedBoard::read_error(const std::string& path) const {
  try {
    (void)read(path);
    return 0;
  } catch (const std::system_error& error) {
    return error.code().value();
  }
}

std::string SimulatedBoard::gpu(const std::string& file) const {
  for (const auto* node : {"17000000.gpu", "17000000.ga10b", "17000000.gv11b", "57000000.gpu", "gpu-gpc-0"}) {
    const std::string folder = "sys/class/devfreq/" + std::string(node);
    if (access((root_ + "/" + folder).c_str(), F_OK) == 0) return folder + "/" + file;
  }
  throw std::runtime_error("the board has no GPU node at the moment");
}

std::vector<SimulatedWrite> SimulatedBoard::writes() const {
  std::istringstream lines(read("writes"));
  std::vector<SimulatedWrite> all;
  for (SimulatedWrite write; lines >> write.path >> write.value >> write.error >> write.program;) all.push_back(write);
  return all;
}

std::uint64_t SimulatedBoard::accesses(const std::string& comm) const {
  std::istringstream lines(read("accesses"));
  std::string name;
  for (std::uint64_t count = 0; lines >> name >> count;) {
    if (name == comm) return count;
  }
  return 0;
}

nlohmann::json SimulatedBoard::truth() const {
  return nlohmann::json::parse(read("truth"));
}

}  // namespace sweetspot
