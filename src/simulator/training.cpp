// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/training.hpp"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <string_view>

namespace sweetspot {

namespace {

constexpr std::int64_t poll_ns = 5'000'000;

class ControlFile {
 public:
  explicit ControlFile(const std::string& path) : fd_(open(path.c_str(), O_RDWR | O_CLOEXEC)), error_(errno) {}
  ~ControlFile() {
    if (fd_ >= 0) close(fd_);
  }
  ControlFile(const ControlFile&) = delete;
  ControlFile& operator=(const ControlFile&) = delete;

  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] int error() const { return error_; }

 private:
  int fd_;
  int error_;
};

Result<std::string> text_of(int fd) {
  std::array<char, 512> buffer{};
  const ssize_t size = pread(fd, buffer.data(), buffer.size(), 0);
  if (size < 0) return failure("read: " + std::string(std::strerror(errno)), errno);
  return std::string(buffer.data(), static_cast<std::size_t>(size));
}

struct Progress {
  double steps = 0;
  bool done = false;
};

// "STEPS TOTAL running|done"
Result<Progress> progress_of(int fd) {
  const auto text = text_of(fd);
  if (!text) return failure(text.error());
  Progress progress;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), progress.steps);
  if (error != std::errc{}) return failure("unexpected answer '" + *text + "'");
  progress.done = text->find("done") != std::string::npos;
  return progress;
}

void pause() {
  const timespec nap{0, poll_ns};
  nanosleep(&nap, nullptr);
}

Result<void> start(int fd, const TrainingRequest& request, const std::string& path) {
  const std::string line = "load start " + request.workload + " steps=" + std::to_string(request.steps);
  if (write(fd, line.data(), line.size()) == static_cast<ssize_t>(line.size())) return {};
  const int code = errno;
  const auto reason = text_of(fd);
  return failure(path + ": " + (reason ? reason->substr(0, reason->find('\n')) : std::strerror(code)), code);
}

}  // namespace

Result<std::uint64_t> run_training(const TrainingRequest& request) {
  const std::string path = request.root + "/control";
  const ControlFile control(path);
  if (control.fd() < 0) return failure("open " + path + ": " + std::strerror(control.error()), control.error());
  if (auto started = start(control.fd(), request, path); !started) return failure(started.error());
  std::uint64_t told = 0;
  while (true) {
    const auto progress = progress_of(control.fd());
    if (!progress) return failure(progress.error());
    const auto whole = progress->done ? request.steps : static_cast<std::uint64_t>(progress->steps);
    if (whole > told && request.on_steps && !request.on_steps(whole - told)) return whole;
    told = std::max(told, whole);
    if (progress->done) return told;
    pause();
  }
}

}  // namespace sweetspot
