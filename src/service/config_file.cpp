// SPDX-License-Identifier: Apache-2.0
#include "service/config_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "sweetspot/platform/unique_fd.hpp"
#include "sweetspot/wire/tree_file.hpp"

namespace sweetspot {
namespace {

constexpr std::size_t longest_file = 16 * 1024 * 1024;

Result<std::string> read_file(const std::string& path) {
  // O_NONBLOCK: a FIFO put in the file's place must not hang the start.
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return failure("open " + path + ": " + std::strerror(errno), errno);
  struct stat status {};
  if (::fstat(fd.value(), &status) != 0 || !S_ISREG(status.st_mode)) return failure(path + " is not a file", EINVAL);
  std::string text;
  std::array<char, 16384> chunk{};
  while (true) {
    const ssize_t n = ::read(fd.value(), chunk.data(), chunk.size());
    if (n < 0) return failure("read " + path + ": " + std::strerror(errno), errno);
    if (n == 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(n));
    if (text.size() > longest_file) return failure(path + " is longer than 16 MiB", EFBIG);
  }
}

}  // namespace

Result<Config> load_config(const std::optional<std::string>& path) {
  const std::string file = path.value_or(default_config_path);
  const auto text = read_file(file);
  if (!text && !path && text.error().code == ENOENT) return Config{};
  if (!text) return failure(text.error());
  auto config = parse_config(*text);
  if (!config) return failure(std::move(config.error()).within(file));
  if (!config->tree_file) return config;
  const auto tree_text = read_file(*config->tree_file);
  if (!tree_text) return failure(Error(tree_text.error()).within(file + ": tree_file"));
  auto file_tree = parse_tree_file(*tree_text);
  if (!file_tree) return failure(std::move(file_tree.error()).within(*config->tree_file));
  config->governor.policy.tree = std::move(file_tree->tree);
  return config;
}

}  // namespace sweetspot
