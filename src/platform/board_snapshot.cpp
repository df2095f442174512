// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "platform/errno_text.hpp"
#include "sweetspot/platform/board_recorder.hpp"

namespace sweetspot {
namespace {

constexpr int most_links = 40;

/// Answers what was read when the snapshot was taken.
class KeptFile final : public OpenAttribute {
 public:
  KeptFile(Result<std::string> text, std::string path) : text_(std::move(text)), path_(std::move(path)) {}
  Result<std::string_view> read(std::span<char> buffer) const override {
    if (!text_) return tl::unexpected(text_.error());
    if (text_->size() > buffer.size()) return errno_failure("read " + path_, EFBIG);
    text_->copy(buffer.data(), text_->size());
    return std::string_view(buffer.data(), text_->size());
  }

 private:
  Result<std::string> text_;
  std::string path_;
};

Result<std::string> answer_of(const RecordedEntry& file, const std::string& path) {
  if (file.code != 0) return errno_failure("read " + path, file.code);
  return file.text;
}

/// Links of a recording stay inside it, wherever it is unpacked.
std::string relative_target(const std::string& target, const std::string& folder) {
  if (target.empty() || target.front() != '/') return target;
  return std::filesystem::path(target).lexically_relative(folder.empty() ? "/" : folder).string();
}

}  // namespace

// One name of a path: a symlink is noted and followed, anything else must exist.
Result<std::string> BoardSnapshot::step(const std::string& folder, const std::string& name, int& links_left) const {
  if (name == "..") return folder.substr(0, std::min(folder.rfind('/'), folder.size()));
  const std::string path = folder + "/" + name;
  struct stat about {};
  if (::lstat((board_.root() + path).c_str(), &about) != 0) return errno_failure("resolve " + path, errno);
  if (!S_ISLNK(about.st_mode)) return path;
  if (--links_left < 0) return errno_failure("resolve " + path, ELOOP);
  std::array<char, PATH_MAX> buffer{};
  const ssize_t size = ::readlink((board_.root() + path).c_str(), buffer.data(), buffer.size());
  if (size < 0) return errno_failure("resolve " + path, errno);
  const std::string target = relative_target(std::string(buffer.data(), static_cast<std::size_t>(size)), folder);
  seen_[path] = {.kind = RecordedEntry::Kind::link, .text = target, .code = 0, .mode = 0777};
  std::string real = folder;
  for (const auto& part : std::filesystem::path(target)) {
    if (part.empty() || part == ".") continue;
    auto next = step(real, part.string(), links_left);
    if (!next) return next;
    real = std::move(*next);
  }
  return real;
}

Result<std::string> BoardSnapshot::walk(const std::string& path) const {
  int links_left = most_links;
  std::string real;
  for (const auto& part : std::filesystem::path(path)) {
    if (part.empty() || part == "/" || part == ".") continue;
    auto next = step(real, part.string(), links_left);
    if (!next) return next;
    real = std::move(*next);
  }
  return real;
}

Result<std::string> BoardSnapshot::read(const std::string& path) const {
  const auto real = walk(path);
  if (!real) return errno_failure("read " + path, real.error().code);
  if (const auto known = seen_.find(*real); known != seen_.end()) return answer_of(known->second, path);
  struct stat about {};
  if (::stat((board_.root() + *real).c_str(), &about) != 0) return errno_failure("read " + path, errno);
  if (!S_ISREG(about.st_mode)) return errno_failure("read " + path, S_ISDIR(about.st_mode) ? EISDIR : EINVAL);
  RecordedEntry file{.kind = RecordedEntry::Kind::file, .text = {}, .code = 0, .mode = about.st_mode & 07777U};
  auto text = board_.read(*real);
  if (text) file.text = std::move(*text);
  if (!text) file.code = text.error().code;
  // Gone between two looks: not a part of this board.
  if (file.code == ENOENT || file.code == ENODEV) return errno_failure("read " + path, file.code);
  return answer_of(seen_[*real] = std::move(file), path);
}

Result<void> BoardSnapshot::write(const std::string& path, const std::string& text) {
  return errno_failure("write " + path + ": " + text, EROFS);
}

Result<std::vector<std::string>> BoardSnapshot::list(const std::string& folder) const {
  const auto real = walk(folder);
  if (!real) return errno_failure("list " + folder, real.error().code);
  return board_.list(*real);
}

Result<std::string> BoardSnapshot::real_path(const std::string& path) const {
  return walk(path);
}

bool BoardSnapshot::exists(const std::string& path) const {
  const auto real = walk(path);
  if (!real) return false;
  // A file that only has to be there is there in the recording, too.
  (void)read(*real);
  return true;
}

Result<std::unique_ptr<OpenAttribute>> BoardSnapshot::open(const std::string& path) const {
  auto text = read(path);
  const int code = text ? 0 : text.error().code;
  if (code == ENOENT || code == ENODEV || code == EACCES) return errno_failure("open " + path, code);
  return std::make_unique<KeptFile>(std::move(text), path);
}

std::optional<bool> BoardSnapshot::written_since_last_asked(const std::string& /*path*/) {
  return std::nullopt;
}

}  // namespace sweetspot
