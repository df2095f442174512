// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/saved_clock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <map>

#include "platform/errno_text.hpp"
#include "platform/runtime_folder.hpp"
#include "sweetspot/platform/attribute_numbers.hpp"

namespace sweetspot {
namespace {

constexpr const char* file_name = "/saved-clock";
/// Above 2^31 kHz the kernel's arithmetic overflows and a limit turns into none; no Jetson comes near 100 GHz.
constexpr std::uint64_t highest_clock_hz = 100'000'000'000;
constexpr std::size_t longest_file = 4096;

using Fields = std::map<std::string, std::string, std::less<>>;

const char* const keys[] = {"boot_id",        "node",       "found_min_hz", "found_max_hz", "last_target_hz",
                            "next_target_hz", "power_mode", "pin_style",    "governor"};

tl::unexpected<Error> malformed(const std::string& why) {
  return failure("not a saved clock: " + why, EINVAL);
}

Result<Fields> split_fields(std::string_view text) {
  if (text.size() > longest_file) return malformed("longer than 4096 bytes");
  if (text.empty() || text.back() != '\n') return malformed("the last line is not complete");
  Fields fields;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) return malformed("a line without '='");
    const std::string key(line.substr(0, equals));
    const bool known = std::any_of(std::begin(keys), std::end(keys), [&](const char* name) { return key == name; });
    if (!known) return malformed("an unknown key");
    if (!fields.emplace(key, line.substr(equals + 1)).second) return malformed(key + " is given twice");
  }
  for (const char* key : keys) {
    if (fields.find(key) == fields.end()) return malformed(std::string(key) + " is missing");
  }
  return fields;
}

Result<Hertz> parse_clock(const Fields& fields, const char* key) {
  auto value = parse_unsigned(fields.find(key)->second);
  if (!value) return malformed(std::string(key) + ": " + value.error().message);
  if (*value == 0 || *value > highest_clock_hz) return malformed(std::string(key) + " is no clock");
  return Hertz{*value};
}

Result<std::optional<Hertz>> parse_optional_clock(const Fields& fields, const char* key) {
  if (fields.find(key)->second.empty()) return std::nullopt;
  auto clock = parse_clock(fields, key);
  if (!clock) return tl::unexpected(clock.error());
  return *clock;
}

Result<std::optional<int>> parse_mode(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const auto id = parse_unsigned(text);
  if (!id || *id > 9999) return malformed("power_mode is no mode id");
  return static_cast<int>(*id);
}

Result<PinStyle> parse_style(const std::string& text) {
  for (const PinStyle style : {PinStyle::exact, PinStyle::cap}) {
    if (text == to_text(style)) return style;
  }
  return malformed("pin_style is neither exact nor cap");
}

/// Whatever the file says, only a devfreq directory of this machine's sysfs is ever written to.
bool is_devfreq_directory(const std::string& path) {
  return path.compare(0, 13, "/sys/devices/") == 0 && path.find("/devfreq/") != std::string::npos &&
         path.find("/..") == std::string::npos && path.find("//") == std::string::npos && path.back() != '/' &&
         std::all_of(path.begin(), path.end(), [](char c) { return c > ' ' && c <= '~'; });
}

std::string text_of(const std::optional<Hertz>& clock) {
  return clock ? std::to_string(clock->value) : std::string();
}

Result<void> write_synced(const std::string& path, const std::string& text) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!fd) return errno_failure("open " + path, errno);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t size = ::write(fd.value(), rest.data(), rest.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return errno_failure("write " + path, size < 0 ? errno : EIO);
    rest.remove_prefix(static_cast<std::size_t>(size));
  }
  if (::fsync(fd.value()) != 0) return errno_failure("sync " + path, errno);
  if (::close(fd.release()) != 0) return errno_failure("close " + path, errno);
  return {};
}

Result<void> sync_folder(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd) return errno_failure("open " + path, errno);
  // Some file systems cannot sync a folder and say EINVAL.
  if (::fsync(fd.value()) != 0 && errno != EINVAL) return errno_failure("sync " + path, errno);
  return {};
}

std::string read_boot_id() {
  return FileAttributes().read("/proc/sys/kernel/random/boot_id").value_or("");
}

}  // namespace

std::string format_saved_clock(const SavedClock& saved) {
  std::string text = "boot_id=" + saved.boot_id + "\nnode=" + saved.node;
  text += "\nfound_min_hz=" + std::to_string(saved.found.min.value);
  text += "\nfound_max_hz=" + std::to_string(saved.found.max.value);
  text += "\nlast_target_hz=" + text_of(saved.last_target) + "\nnext_target_hz=" + text_of(saved.next_target);
  text += "\npower_mode=" + (saved.power_mode ? std::to_string(*saved.power_mode) : std::string());
  text += "\npin_style=" + std::string(to_text(saved.style)) + "\ngovernor=" + saved.governor + "\n";
  return text;
}

Result<SavedClock> parse_saved_clock(std::string_view text) {
  const auto fields = split_fields(text);
  if (!fields) return tl::unexpected(fields.error());
  const auto found_min = parse_clock(*fields, "found_min_hz");
  const auto found_max = parse_clock(*fields, "found_max_hz");
  const auto last = parse_optional_clock(*fields, "last_target_hz");
  const auto next = parse_optional_clock(*fields, "next_target_hz");
  const auto mode = parse_mode(fields->at("power_mode"));
  const auto style = parse_style(fields->at("pin_style"));
  if (!found_min) return tl::unexpected(found_min.error());
  if (!found_max) return tl::unexpected(found_max.error());
  if (!last) return tl::unexpected(last.error());
  if (!next) return tl::unexpected(next.error());
  if (!mode) return tl::unexpected(mode.error());
  if (!style) return tl::unexpected(style.error());
  if (!is_devfreq_directory(fields->at("node"))) return malformed("node is no devfreq directory");
  if (fields->at("boot_id").empty()) return malformed("boot_id is empty");
  return SavedClock{.boot_id = fields->at("boot_id"),
                    .node = fields->at("node"),
                    .found = {*found_min, *found_max},
                    .last_target = *last,
                    .next_target = *next,
                    .power_mode = *mode,
                    .style = *style,
                    .governor = fields->at("governor")};
}

SavedClockStore::SavedClockStore(std::string runtime_dir, std::string boot_id)
    : runtime_dir_(std::move(runtime_dir)), boot_id_(boot_id.empty() ? read_boot_id() : std::move(boot_id)) {}

Result<std::optional<SavedClock>> SavedClockStore::load() const {
  const std::string path = runtime_dir_ + file_name;
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd && errno == ENOENT) return std::nullopt;
  if (!fd) return errno_failure("open " + path, errno);
  std::string text(longest_file + 1, '\0');
  const ssize_t size = ::pread(fd.value(), text.data(), text.size(), 0);
  if (size < 0) return errno_failure("read " + path, errno);
  text.resize(static_cast<std::size_t>(size));
  auto saved = parse_saved_clock(text);
  if (!saved) return failure(std::move(saved.error()).within(path));
  if (saved->boot_id != boot_id_) return std::nullopt;
  return std::move(*saved);
}

Result<void> SavedClockStore::save(const SavedClock& saved) const {
  if (auto made = make_runtime_folder(runtime_dir_); !made) return made;
  const std::string path = runtime_dir_ + file_name;
  const std::string fresh = path + ".new";
  if (auto written = write_synced(fresh, format_saved_clock(saved)); !written) return written;
  if (::rename(fresh.c_str(), path.c_str()) != 0) return errno_failure("rename " + fresh, errno);
  return sync_folder(runtime_dir_);
}

Result<void> SavedClockStore::remove() const {
  const std::string path = runtime_dir_ + file_name;
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return errno_failure("remove " + path, errno);
  return {};
}

}  // namespace sweetspot
