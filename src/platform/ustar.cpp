// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/ustar.hpp"

#include <array>
#include <cstdio>

namespace sweetspot {
namespace {

// The header of POSIX.1-1988 ustar: where each field begins and how long it is.
constexpr std::size_t block = 512;
constexpr std::size_t longest_name = 100;
constexpr std::size_t longest_prefix = 155;
constexpr std::size_t mode_at = 100, size_at = 124, time_at = 136, checksum_at = 148, type_at = 156, link_at = 157;
constexpr std::size_t magic_at = 257, prefix_at = 345;
/// 2000-01-01: tar complains about 1970.
constexpr unsigned long long date = 946684800;

void put(std::string& header, std::size_t at, std::string_view text) {
  header.replace(at, text.size(), text);
}

/// `width` octal digits and a NUL.
void put_octal(std::string& header, std::size_t at, std::size_t width, unsigned long long value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%0*llo", static_cast<int>(width), value);
  put(header, at, std::string_view(text.data(), width));
}

/// The last '/' that leaves a name and a prefix which fit; npos: none does.
std::size_t split_of(const std::string& path) {
  for (std::size_t at = path.rfind('/'); at != std::string::npos && at > 0; at = path.rfind('/', at - 1)) {
    if (path.size() - at - 1 > longest_name) return std::string::npos;
    if (at <= longest_prefix) return at;
  }
  return std::string::npos;
}

/// "LENGTH key=value\n", where LENGTH counts itself.
std::string pax_record(std::string_view key, const std::string& value) {
  const std::size_t rest = key.size() + value.size() + 3;
  std::size_t length = rest + 1;
  while (std::to_string(length).size() + rest != length) ++length;
  return std::to_string(length) + " " + std::string(key) + "=" + value + "\n";
}

}  // namespace

void UstarWriter::add_file(const std::string& path, std::string_view bytes, unsigned mode) {
  add({.path = path, .target = {}, .type = '0', .mode = mode, .bytes = bytes});
}

void UstarWriter::add_link(const std::string& path, const std::string& target) {
  add({.path = path, .target = target, .type = '2', .mode = 0777, .bytes = {}});
}

void UstarWriter::add(const Member& member) {
  const std::size_t split = member.path.size() > longest_name ? split_of(member.path) : 0;
  std::string extended;
  if (split == std::string::npos) extended += pax_record("path", member.path);
  if (member.target.size() > longest_name) extended += pax_record("linkpath", member.target);
  const std::string none;
  if (!extended.empty())
    add_block({.path = none, .target = none, .type = 'x', .mode = 0644, .bytes = extended}, "pax", "");
  if (split == 0 || split == std::string::npos) return add_block(member, member.path.substr(0, longest_name), "");
  add_block(member, member.path.substr(split + 1), member.path.substr(0, split));
}

void UstarWriter::add_block(const Member& member, const std::string& name, const std::string& prefix) {
  std::string header(block, '\0');
  put(header, 0, name);
  put_octal(header, mode_at, 7, member.mode);
  put_octal(header, mode_at + 8, 7, 0);   // uid
  put_octal(header, mode_at + 16, 7, 0);  // gid
  put_octal(header, size_at, 11, member.bytes.size());
  put_octal(header, time_at, 11, date);
  put(header, checksum_at, "        ");
  header[type_at] = member.type;
  put(header, link_at, std::string_view(member.target).substr(0, longest_name));
  put(header, magic_at, std::string_view("ustar\00000", 8));
  put(header, prefix_at, prefix);
  unsigned long long sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  put_octal(header, checksum_at, 6, sum);
  header[checksum_at + 6] = '\0';
  archive_ += header;
  archive_ += member.bytes;
  archive_.append((block - member.bytes.size() % block) % block, '\0');
}

std::string UstarWriter::take() {
  archive_.append(2 * block, '\0');
  return std::move(archive_);
}

}  // namespace sweetspot
