// SPDX-License-Identifier: Apache-2.0
#include "simulator/errno_names.hpp"

#include <array>
#include <cerrno>

namespace sweetspot {

namespace {
struct Name {
  std::string_view text;
  int code;
};
constexpr std::array<Name, 15> names{{{"EINVAL", EINVAL},
                                      {"EAGAIN", EAGAIN},
                                      {"EIO", EIO},
                                      {"EBUSY", EBUSY},
                                      {"ENODEV", ENODEV},
                                      {"ENOENT", ENOENT},
                                      {"EPERM", EPERM},
                                      {"EACCES", EACCES},
                                      {"EROFS", EROFS},
                                      {"ETIMEDOUT", ETIMEDOUT},
                                      {"ENXIO", ENXIO},
                                      {"ENODATA", ENODATA},
                                      {"EREMOTEIO", EREMOTEIO},
                                      {"EINTR", EINTR},
                                      {"ENOMEM", ENOMEM}}};
}  // namespace

std::optional<int> errno_of(std::string_view name) {
  for (const auto& known : names) {
    if (known.text == name) return known.code;
  }
  return std::nullopt;
}

std::string errno_name(int code) {
  if (code == 0) return "ok";
  for (const auto& known : names) {
    if (known.code == code) return std::string(known.text);
  }
  return std::to_string(code);
}

std::string errno_list() {
  std::string list;
  for (const auto& known : names) list += (list.empty() ? "" : " ") + std::string(known.text);
  return list;
}

}  // namespace sweetspot
