// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/anonymiser.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace sweetspot {
namespace {

constexpr std::size_t shortest_secret = 4;
constexpr std::size_t secret_anywhere = 10;
/// Longer than any clock, address or counter of sysfs (64 bits are 16 digits, 20 in decimal).
constexpr std::size_t shortest_id = 24;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t hex_run(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_hex) - text.begin());
}

/// Length of hexadecimal groups of exactly these lengths with one kind of separator between them; 0: not there.
std::size_t groups_at(std::string_view text, std::initializer_list<std::size_t> lengths, std::string_view separators) {
  std::size_t at = 0;
  char separator = '\0';
  for (const std::size_t length : lengths) {
    if (at > 0) {
      if (at >= text.size() || separators.find(text[at]) == std::string_view::npos) return 0;
      if (separator != '\0' && text[at] != separator) return 0;
      separator = text[at++];
    }
    if (hex_run(text.substr(at)) != length) return 0;
    at += length;
  }
  const bool goes_on = at + 1 < text.size() && text[at] == separator && is_hex(text[at + 1]);
  return goes_on ? 0 : at;
}

std::size_t secret_at(std::string_view text) {
  if (const auto uuid = groups_at(text, {8, 4, 4, 4, 12}, "-")) return uuid;
  if (const auto mac = groups_at(text, {2, 2, 2, 2, 2, 2}, ":-_")) return mac;
  const std::size_t run = hex_run(text);
  return run >= shortest_id ? run : 0;
}

std::string trimmed(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\0'), text.end());
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

}  // namespace

Anonymiser::Anonymiser(std::vector<std::string> secrets) : secrets_(std::move(secrets)) {
  std::erase_if(secrets_, [](const std::string& word) {
    return word.size() < shortest_secret || word.find_first_not_of(word.front()) == std::string::npos;
  });
  std::sort(secrets_.begin(), secrets_.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

// Digits become zeros that end with a number, so that a MAC stays a MAC and two stay two.
std::string Anonymiser::replacement_of(std::string_view secret) {
  if (const auto known = replacements_.find(secret); known != replacements_.end()) return known->second;
  std::string text(secret);
  std::array<char, 24> digits{};
  std::snprintf(digits.data(), digits.size(), "%02zx", ++replaced_);
  std::string number = digits.data();
  std::for_each(text.rbegin(), text.rend(), [&number](char& c) {
    if (!is_hex(c)) return;
    c = number.empty() ? '0' : number.back();
    if (!number.empty()) number.pop_back();
  });
  replacements_.emplace(secret, text);
  replacements_.emplace(text, text);
  return text;
}

std::string Anonymiser::without_patterns(std::string_view text) {
  std::string clean;
  std::size_t at = 0;
  while (at < text.size()) {
    const bool starts = at == 0 || !is_hex(text[at - 1]);
    const std::size_t length = starts ? secret_at(text.substr(at)) : 0;
    if (length == 0) {
      clean += text[at++];
      continue;
    }
    clean += replacement_of(text.substr(at, length));
    at += length;
  }
  return clean;
}

std::string Anonymiser::without_words(std::string text) {
  constexpr std::string_view removed = "removed";
  for (const std::string& secret : secrets_) {
    std::size_t at = 0;
    while ((at = text.find(secret, at)) != std::string::npos) {
      const std::size_t end = at + secret.size();
      const bool inside = (at > 0 && is_word(text[at - 1])) || (end < text.size() && is_word(text[end]));
      if (inside && secret.size() < secret_anywhere) {
        at = end;
        continue;
      }
      text.replace(at, secret.size(), removed);
      if (replacements_.emplace(secret, removed).second) ++replaced_;
      at += removed.size();
    }
  }
  return text;
}

std::string Anonymiser::scrubbed(std::string_view text) {
  return without_words(without_patterns(text));
}

std::vector<std::string> serial_numbers(const Attributes& board) {
  std::vector<std::string> found;
  for (const char* path :
       {"/sys/firmware/devicetree/base/serial-number", "/proc/device-tree/serial-number",
        "/sys/devices/soc0/serial_number", "/sys/module/tegra_fuse/parameters/tegra_chip_uid", "/etc/machine-id"}) {
    if (auto text = board.read(path)) found.push_back(trimmed(std::move(*text)));
  }
  return found;
}

std::vector<std::string> host_names(const FileAttributes& board) {
  std::vector<std::string> names;
  if (auto text = board.read("/etc/hostname")) names.push_back(trimmed(std::move(*text)));
  utsname system{};
  if (board.root().empty() && ::uname(&system) == 0) names.emplace_back(static_cast<const char*>(system.nodename));
  return names;
}

}  // namespace sweetspot
