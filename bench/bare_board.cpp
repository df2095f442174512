// SPDX-License-Identifier: Apache-2.0
#include "bench/bare_board.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "sweetspot/platform/gpu_discovery.hpp"
#include "sweetspot/platform/rails.hpp"

namespace sweetspot::bench {
namespace {

UniqueFd open_file(const std::string& path, int flags) {
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC));
  if (!fd) throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

}  // namespace

BareBoard::BareBoard(const std::string& sysfs_root, LimitFiles limit_files) {
  const FileAttributes board(sysfs_root);
  const auto node = find_gpu(board, identify_board(board));
  if (!node) throw std::runtime_error(node.error().message);
  devfreq_dir_ = sysfs_root + node->devfreq_dir;
  for (const RailSource& rail : find_rails(board).rails) {
    for (const std::string& file : rail.files) sampled_.push_back(open_file(sysfs_root + file, O_RDONLY));
  }
  if (node->load_file) sampled_.push_back(open_file(sysfs_root + *node->load_file, O_RDONLY));
  if (limit_files == LimitFiles::kept_open) {
    for (const char* file : {"/min_freq", "/max_freq"}) limits_.emplace(file, open_limit(file, O_RDWR));
  }
  found_min_ = read_limit("/min_freq");
  found_max_ = read_limit("/max_freq");
}

void BareBoard::read_rails() const {
  std::array<char, 64> text;
  for (const UniqueFd& file : sampled_) {
    if (::pread(file.value(), text.data(), text.size(), 0) <= 0)
      throw std::system_error(errno, std::generic_category(), "pread");
  }
}

void BareBoard::pin(const std::string& clock_hz) const {
  write_limit("/min_freq", clock_hz);
  write_limit("/max_freq", clock_hz);
  (void)read_limit("/min_freq");
  (void)read_limit("/max_freq");
}

void BareBoard::release() const {
  write_limit("/max_freq", found_max_);
  write_limit("/min_freq", found_min_);
  (void)read_limit("/min_freq");
  (void)read_limit("/max_freq");
}

std::string BareBoard::read_limit(const char* file) const {
  const auto kept = limits_.find(file);
  const UniqueFd opened = kept == limits_.end() ? open_limit(file, O_RDONLY) : UniqueFd();
  std::array<char, 64> text;
  const ssize_t size = ::pread(opened ? opened.value() : kept->second.value(), text.data(), text.size(), 0);
  if (size <= 0) throw std::system_error(errno, std::generic_category(), devfreq_dir_ + file);
  return {text.data(), static_cast<std::size_t>(size)};
}

UniqueFd BareBoard::open_limit(const char* file, int flags) const {
  return open_file(devfreq_dir_ + file, flags);
}

void BareBoard::write_limit(const char* file, const std::string& value) const {
  const auto kept = limits_.find(file);
  const UniqueFd opened = kept == limits_.end() ? open_limit(file, O_WRONLY) : UniqueFd();
  if (::pwrite(opened ? opened.value() : kept->second.value(), value.data(), value.size(), 0) < 0)
    throw std::system_error(errno, std::generic_category(), devfreq_dir_ + file);
}

}  // namespace sweetspot::bench
