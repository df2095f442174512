// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "sweetspot/simulator/board_copy.hpp"

namespace sweetspot {

namespace {

namespace fs = std::filesystem;

// The parts of a ustar header that finding one file takes.
constexpr std::size_t block = 512;
constexpr std::size_t size_at = 124, size_length = 12, type_at = 156, magic_at = 257;
constexpr std::uintmax_t largest_file = 64U << 20U;
constexpr std::string_view wanted = "tree.txt";

Result<std::string> whole(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return failure(path.string() + ": " + error.message(), error.value());
  if (size > largest_file) return failure(path.string() + " is too large for a recording", EFBIG);
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size())))
    return failure("cannot read " + path.string(), EIO);
  return text;
}

std::string_view until_nul(std::string_view field) {
  return field.substr(0, field.find('\0'));
}

bool is_wanted(std::string_view name) {
  return name == wanted || (name.size() > wanted.size() && name.substr(name.size() - wanted.size()) == wanted &&
                            name[name.size() - wanted.size() - 1] == '/');
}

Result<std::string> tree_in_archive(std::string_view archive) {
  while (archive.size() >= block && archive.front() != '\0') {
    const std::string_view header = archive.substr(0, block);
    if (header.substr(magic_at, 5) != "ustar")
      return failure("no tar archive (a compressed one has to be unpacked first)", EINVAL);
    const std::string_view digits = until_nul(header.substr(size_at, size_length));
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
    archive.remove_prefix(block);
    if (error != std::errc{} || size > archive.size()) return failure("the archive is cut short", EINVAL);
    const char type = header[type_at];
    if ((type == '0' || type == '\0') && is_wanted(until_nul(header.substr(0, 100))))
      return std::string(archive.substr(0, size));
    archive.remove_prefix(std::min(archive.size(), (size + block - 1) / block * block));
  }
  return failure("no tree.txt in the archive; expected one that `sweetspot record-board` wrote", ENOENT);
}

}  // namespace

Result<BoardCopy> BoardCopy::load(const std::string& path) {
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  auto text = whole(folder ? fs::path(path) / wanted : fs::path(path));
  if (text && !folder) text = tree_in_archive(*text);
  if (!text) return failure(std::move(text.error()).within(path));
  auto copy = parse(*text);
  if (!copy) return failure(std::move(copy.error()).within(path + ": tree.txt"));
  return copy;
}

}  // namespace sweetspot
