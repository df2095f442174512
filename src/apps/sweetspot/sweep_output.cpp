// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/sweep_output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "apps/sweetspot/curve_input.hpp"
#include "apps/sweetspot/whole_file.hpp"
#include "sweetspot/analysis/sweep_file.hpp"

namespace sweetspot {
namespace {

// So that the name of a new file is on the disk, too.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const UniqueFd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd) ::fsync(fd.value());
}

}  // namespace

tl::unexpected<Error> SweepOutput::refused() const {
  return failure(path_ + ": " + std::strerror(errno), errno);
}

Result<SweepOutput> SweepOutput::open(const std::string& path) {
  SweepOutput output(path, UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0644)));
  if (!output.fd_) return output.refused();
  struct stat about {};
  if (::fstat(output.fd_.value(), &about) != 0) return output.refused();
  if (!S_ISREG(about.st_mode))
    return failure(path + ": no regular file, which a sweep needs to go on after a break", EINVAL);
  if (::flock(output.fd_.value(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? failure(path + ": another sweep writes it", EAGAIN) : output.refused();
  auto text = whole_file(path, longest_sweep_file);
  if (!text) return failure(std::move(text.error()));
  const std::size_t whole = whole_lines(*text);
  output.torn_end_ = text->substr(whole);
  text->resize(whole);
  output.text_ = std::move(*text);
  sync_folder_of(path);
  return output;
}

Result<void> SweepOutput::cut_torn_end() {
  if (torn_end_.empty()) return {};
  if (::ftruncate(fd_.value(), static_cast<off_t>(text_.size())) != 0) return refused();
  torn_end_.clear();
  return {};
}

Result<void> SweepOutput::append(const std::string& lines) {
  struct stat before {};
  if (::fstat(fd_.value(), &before) != 0) return refused();
  if (write_all(fd_.value(), lines) && ::fsync(fd_.value()) == 0) return {};
  auto error = refused();
  if (::ftruncate(fd_.value(), before.st_size) != 0) error.value().message += "; its last line is torn";
  return error;
}

}  // namespace sweetspot
