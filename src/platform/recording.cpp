// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/platform/recording.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>
#include <vector>

namespace sweetspot {
namespace {

constexpr unsigned usual_mode = 0444;

/// What reads of sysfs attributes were seen to answer (drivers of power monitors, thermal zones, devfreq).
constexpr std::array<std::pair<int, const char*>, 15> errno_names{{{EACCES, "EACCES"},
                                                                   {EAGAIN, "EAGAIN"},
                                                                   {EBUSY, "EBUSY"},
                                                                   {EFBIG, "EFBIG"},
                                                                   {EINVAL, "EINVAL"},
                                                                   {EIO, "EIO"},
                                                                   {ENODATA, "ENODATA"},
                                                                   {ENODEV, "ENODEV"},
                                                                   {ENOENT, "ENOENT"},
                                                                   {ENOMEM, "ENOMEM"},
                                                                   {ENXIO, "ENXIO"},
                                                                   {EPERM, "EPERM"},
                                                                   {EREMOTEIO, "EREMOTEIO"},
                                                                   {EROFS, "EROFS"},
                                                                   {ETIMEDOUT, "ETIMEDOUT"}}};

std::string escaped(const std::string& text) {
  std::string shown;
  for (const char c : text) {
    if (c == '\\') {
      shown += "\\\\";
    } else if (c == '\n') {
      shown += "\\n";
    } else if (c == '\0') {
      shown += "\\0";
    } else {
      shown += c;
    }
  }
  return shown;
}

std::string octal(unsigned mode) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "%04o", mode & 07777U);
  return text.data();
}

std::string entry_line(const std::string& name, const RecordedEntry& entry) {
  if (entry.kind == RecordedEntry::Kind::link) return name + " -> " + entry.text + "\n";
  const std::string start = name + (entry.mode == usual_mode ? "" : " " + octal(entry.mode));
  if (entry.code != 0) return start + " ! " + errno_word(entry.code) + "\n";
  return start + " =" + (entry.text.empty() ? "" : " ") + escaped(entry.text) + "\n";
}

}  // namespace

std::string errno_word(int code) {
  for (const auto& [known, name] : errno_names) {
    if (known == code) return name;
  }
  return std::to_string(code);
}

std::string file_bytes(const RecordedEntry& file) {
  const bool as_it_is = file.text.empty() || file.text.back() == '\0';
  return as_it_is ? file.text : file.text + "\n";
}

std::string recording_text(const Recording& recording, const std::string& comment) {
  std::map<std::string, std::string> lines_of_folder;
  for (const auto& [path, entry] : recording) {
    const std::size_t slash = path.rfind('/');
    lines_of_folder[path.substr(0, slash)] += entry_line(path.substr(slash + 1), entry);
  }
  std::string text = "# " + comment + "\n";
  for (const auto& [folder, lines] : lines_of_folder) {
    text += "[" + folder + "]\n";
    text += lines;
  }
  return text;
}

}  // namespace sweetspot
