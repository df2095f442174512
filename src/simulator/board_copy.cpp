// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/board_copy.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "simulator/errno_names.hpp"

namespace sweetspot {

namespace {

namespace fs = std::filesystem;

constexpr int most_links_followed = 40;

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char next = text[++i];
    plain += next == '0' ? '\0' : next == 'n' ? '\n' : next;
  }
  return plain;
}

std::string_view take_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(std::min(word.size() + 1, line.size()));
  return word;
}

std::optional<mode_t> octal(std::string_view word) {
  mode_t mode = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), mode, 8);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size() || mode > 07777) return std::nullopt;
  return mode;
}

/// What follows the name: "[MODE] = TEXT", "-> TARGET", "[MODE] ! ERRNO".
Result<CopiedFile> parse_entry(std::string_view rest) {
  CopiedFile file;
  std::string_view sign = take_word(rest);
  if (const auto mode = octal(sign)) {
    file.mode = *mode;
    sign = take_word(rest);
  }
  if (sign == "->" && !rest.empty()) {
    file.is_link = true;
    file.text = rest;
    return file;
  }
  if (sign == "=") {
    file.text = unescaped(rest);
    return file;
  }
  const auto code = sign == "!" ? errno_of(rest) : std::nullopt;
  if (!code) return failure("expected `NAME = TEXT`, `NAME -> TARGET` or `NAME ! ERRNO`");
  file.code = *code;
  return file;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() + 1 && path.compare(0, folder.size(), folder) == 0 && path[folder.size()] == '/';
}

}  // namespace

std::string bytes_of(const CopiedFile& file) {
  const bool as_it_is = file.text.empty() || file.text.back() == '\0';
  return as_it_is ? file.text : file.text + "\n";
}

Result<BoardCopy> BoardCopy::parse(std::string_view text) {
  BoardCopy copy;
  std::string folder;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '[') {
      folder = std::string(line.substr(1, line.find(']') - 1)) + "/";
      continue;
    }
    const std::string name(take_word(line));
    auto file = parse_entry(line);
    const std::string path = name.front() == '/' ? name : folder + name;
    if (!file) return failure("line " + std::to_string(number) + ": " + file.error().message);
    // A recording comes from strangers: nothing outside the board's own folders is played.
    const std::string normal = fs::path(path).lexically_normal().string();
    if (normal != path || path.empty() || path.front() != '/')
      return failure("line " + std::to_string(number) + ": '" + path + "' is no plain absolute path");
    copy.files_[path] = std::move(*file);
  }
  return copy;
}

std::optional<std::string> BoardCopy::resolve(const std::string& path, int links_left) const {
  std::string real;
  const fs::path parts(path);
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part->empty() || *part == "/" || *part == ".") continue;
    if (*part == "..") {
      real.erase(std::min(real.rfind('/'), real.size()));
      continue;
    }
    const auto entry = files_.find(real + "/" + part->string());
    if (entry == files_.end() || !entry->second.is_link) {
      real += "/" + part->string();
      continue;
    }
    if (links_left == 0) return std::nullopt;
    fs::path rest =
        entry->second.text.front() == '/' ? fs::path(entry->second.text) : fs::path(real) / entry->second.text;
    for (++part; part != parts.end(); ++part) rest /= *part;
    return resolve(rest.string(), links_left - 1);
  }
  return real;
}

std::optional<std::string> BoardCopy::real_path(const std::string& path) const {
  auto real = resolve(path, most_links_followed);
  if (!real) return std::nullopt;
  const auto next = files_.lower_bound(*real);
  if (next != files_.end() && next->first == *real) return real;
  const auto below = files_.lower_bound(*real + "/");
  return below != files_.end() && is_below(below->first, *real) ? real : std::nullopt;
}

const CopiedFile* BoardCopy::file(const std::string& path) const {
  const auto real = resolve(path, most_links_followed);
  const auto entry = real ? files_.find(*real) : files_.end();
  return entry == files_.end() || entry->second.is_link ? nullptr : &entry->second;
}

std::optional<std::string> BoardCopy::text(const std::string& path) const {
  const CopiedFile* found = file(path);
  return found == nullptr || found->code != 0 ? std::nullopt : std::optional(found->text);
}

std::optional<double> BoardCopy::number(const std::string& path) const {
  const auto words = text(path);
  double value = 0;
  if (!words) return std::nullopt;
  const auto [end, error] = std::from_chars(words->data(), words->data() + words->size(), value);
  if (error != std::errc{} || end != words->data() + words->size()) return std::nullopt;
  return value;
}

int BoardCopy::error(const std::string& path) const {
  const CopiedFile* found = file(path);
  return found == nullptr ? 0 : found->code;
}

std::vector<std::string> BoardCopy::list(const std::string& folder) const {
  const auto real = resolve(folder, most_links_followed);
  std::set<std::string> names;
  if (real) {
    for (auto entry = files_.lower_bound(*real + "/"); entry != files_.end() && is_below(entry->first, *real);
         ++entry) {
      const std::string rest = entry->first.substr(real->size() + 1);
      names.insert(rest.substr(0, rest.find('/')));
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace sweetspot
