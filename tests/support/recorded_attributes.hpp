// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/support/tree_attributes.hpp"

namespace sweetspot::tests {

/// A board as a text (tests/data/README.md): "path = value", "path -> target", "path ! ENODATA"; "[folder]" goes before
/// the relative paths that follow it; \0 and \n in values; '#' starts a comment line. A mode before the sign is read
/// over: attributes in memory have none.
class RecordedAttributes : public TreeAttributes {
 public:
  explicit RecordedAttributes(const std::string& text) {
    std::istringstream lines(text);
    std::string folder;
    for (std::string line; std::getline(lines, line);) {
      if (line.empty() || line.front() == '#') continue;
      if (line.front() == '[') {
        folder = line.substr(1, line.find(']') - 1) + "/";
      } else {
        add(folder, line);
      }
    }
  }

  static RecordedAttributes from_file(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot open " + path);
    std::ostringstream text;
    text << file.rdbuf();
    return RecordedAttributes(text.str());
  }

 private:
  void add(const std::string& folder, const std::string& line) {
    const std::size_t blank = line.find(' ');
    const std::string name = line.substr(0, blank);
    const std::string path = name.front() == '/' ? name : folder + name;
    std::string rest = blank == std::string::npos ? std::string() : line.substr(blank + 1);
    if (!rest.empty() && rest.front() >= '0' && rest.front() <= '7') rest.erase(0, rest.find(' ') + 1);
    if (rest.rfind("-> ", 0) == 0) return link(path, rest.substr(3));
    if (rest.rfind("! ", 0) == 0) return set_error(path, errno_named(rest.substr(2)));
    if (rest.rfind("=", 0) != 0) throw std::runtime_error("neither =, -> nor !: " + line);
    set(path, unescaped(rest.size() > 2 ? rest.substr(2) : std::string()));
  }

  static std::string unescaped(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool escape = text[i] == '\\' && i + 1 < text.size();
      plain += !escape ? text[i] : text[++i] == '0' ? '\0' : text[i] == 'n' ? '\n' : text[i];
    }
    return plain;
  }

  static int errno_named(const std::string& name) {
    constexpr std::array<std::pair<const char*, int>, 10> names{{{"ENODATA", ENODATA},
                                                                 {"EAGAIN", EAGAIN},
                                                                 {"EIO", EIO},
                                                                 {"EACCES", EACCES},
                                                                 {"EINVAL", EINVAL},
                                                                 {"EPERM", EPERM},
                                                                 {"EBUSY", EBUSY},
                                                                 {"ENXIO", ENXIO},
                                                                 {"EREMOTEIO", EREMOTEIO},
                                                                 {"ETIMEDOUT", ETIMEDOUT}}};
    for (const auto& [known, code] : names) {
      if (name == known) return code;
    }
    throw std::runtime_error("unknown errno " + name);
  }
};

}  // namespace sweetspot::tests
