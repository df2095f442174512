// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot::tests {

/// A board in memory: files with text or with an errno, and symlinks that resolve as the kernel resolves them. Folders
/// are those that hold something. Derived classes put behaviour behind single files.
class TreeAttributes : public Attributes {
 public:
  void set(const std::string& path, std::string text) { files_[path] = File{std::move(text), 0}; }
  void set_error(const std::string& path, int code) { files_[path] = File{{}, code}; }
  void link(const std::string& path, std::string target) { links_[path] = std::move(target); }
  /// Takes a file or a whole folder away, as an unbound driver does.
  void remove(const std::string& path) {
    const auto below = [&](const std::string& other) { return other == path || other.rfind(path + "/", 0) == 0; };
    std::erase_if(files_, [&](const auto& file) { return below(file.first); });
    std::erase_if(links_, [&](const auto& one) { return below(one.first); });
  }

  Result<std::string> read(const std::string& path) const override {
    const auto real = resolved(path);
    if (!real) return refused("read " + path, ENOENT);
    return read_real(*real);
  }

  Result<void> write(const std::string& path, const std::string& text) override {
    const auto real = resolved(path);
    if (!real || files_.count(*real) == 0) return refused("write " + path + ": " + text, ENOENT);
    return write_real(*real, text);
  }

  Result<std::vector<std::string>> list(const std::string& folder) const override {
    const auto real = resolved(folder);
    std::set<std::string> names;
    if (real) {
      const auto collect = [&](const std::string& path) {
        if (path.rfind(*real + "/", 0) != 0) return;
        const std::string rest = path.substr(real->size() + 1);
        names.insert(rest.substr(0, rest.find('/')));
      };
      for (const auto& [path, file] : files_) collect(path);
      for (const auto& [path, target] : links_) collect(path);
    }
    if (names.empty()) return refused("list " + folder, ENOENT);
    return std::vector<std::string>(names.begin(), names.end());
  }

  Result<std::string> real_path(const std::string& path) const override {
    const auto real = resolved(path);
    if (!real || !exists_real(*real)) return refused("resolve " + path, ENOENT);
    return *real;
  }

  bool exists(const std::string& path) const override {
    const auto real = resolved(path);
    return real && exists_real(*real);
  }

  Result<std::unique_ptr<OpenAttribute>> open(const std::string& path) const override {
    const auto real = resolved(path);
    if (!real || files_.count(*real) == 0) return refused("open " + path, ENOENT);
    return std::make_unique<OpenFile>(*this, *real);
  }

  std::optional<bool> written_since_last_asked(const std::string& /*path*/) override { return std::nullopt; }

 protected:
  virtual Result<std::string> read_real(const std::string& path) const {
    const auto file = files_.find(path);
    if (file == files_.end()) return refused("read " + path, ENOENT);
    if (file->second.code != 0) return refused("read " + path, file->second.code);
    return file->second.text;
  }
  virtual Result<void> write_real(const std::string& path, const std::string& text) {
    files_[path].text = text;
    return {};
  }
  static tl::unexpected<Error> refused(const std::string& what, int code) {
    return failure(what + ": " + std::generic_category().message(code), code);
  }

 private:
  struct File {
    std::string text;
    int code = 0;
  };

  /// An open file stays that file: once it is gone it answers ENODEV, even when another takes its path.
  class OpenFile final : public OpenAttribute {
   public:
    OpenFile(const TreeAttributes& tree, std::string path) : tree_(tree), path_(std::move(path)) {}
    Result<std::string_view> read(std::span<char> buffer) const override {
      if (tree_.files_.count(path_) == 0) return refused("read " + path_, ENODEV);
      const auto text = tree_.read_real(path_);
      if (!text) return tl::unexpected(text.error());
      if (text->size() > buffer.size()) return refused("read " + path_, EFBIG);
      text->copy(buffer.data(), text->size());
      return std::string_view(buffer.data(), text->size());
    }

   private:
    const TreeAttributes& tree_;
    std::string path_;
  };

  bool exists_real(const std::string& path) const {
    if (files_.count(path) != 0) return true;
    const auto next = files_.lower_bound(path + "/");
    if (next != files_.end() && next->first.rfind(path + "/", 0) == 0) return true;
    const auto below = links_.lower_bound(path + "/");
    return below != links_.end() && below->first.rfind(path + "/", 0) == 0;
  }

  std::optional<std::string> resolved(const std::string& path, int depth = 0) const {
    if (depth > 40) return std::nullopt;
    std::string real;
    std::size_t at = 0;
    while (at < path.size()) {
      const std::size_t end = std::min(path.find('/', at), path.size());
      const std::string part = path.substr(at, end - at);
      at = end + 1;
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        real.erase(std::min(real.rfind('/'), real.size()));
        continue;
      }
      const auto target = links_.find(real + "/" + part);
      if (target == links_.end()) {
        real += "/" + part;
        continue;
      }
      const std::string start = target->second.front() == '/' ? std::string() : real;
      const std::string rest = end < path.size() ? path.substr(end) : std::string();
      return resolved(start + "/" + target->second + rest, depth + 1);
    }
    return real;
  }

  std::map<std::string, File> files_;
  std::map<std::string, std::string> links_;
};

}  // namespace sweetspot::tests
