// SPDX-License-Identifier: Apache-2.0
#include "service/wakeup.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace sweetspot {

Result<Wakeup> Wakeup::create() {
  UniqueFd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd) return failure(std::string("eventfd: ") + std::strerror(errno), errno);
  return Wakeup(std::move(fd));
}

void Wakeup::ring() const {
  const std::uint64_t one = 1;
  // Fails only when 2^64-2 rings are waiting, and then the loop will wake anyway.
  [[maybe_unused]] const auto written = ::write(fd_.value(), &one, sizeof one);
}

void Wakeup::take() const {
  std::uint64_t rings = 0;
  [[maybe_unused]] const auto taken = ::read(fd_.value(), &rings, sizeof rings);
}

}  // namespace sweetspot
