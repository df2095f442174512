// SPDX-License-Identifier: Apache-2.0
#include "apps/sweetspot/signal_feed.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sweetspot {

Result<SignalFeed> SignalFeed::open(std::initializer_list<int> signals) {
  sigset_t taken;
  sigset_t before;
  sigemptyset(&taken);
  for (const int signal : signals) sigaddset(&taken, signal);
  if (::sigprocmask(SIG_BLOCK, &taken, &before) != 0)
    return failure(std::string("sigprocmask: ") + std::strerror(errno), errno);
  UniqueFd fd(::signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!fd) return failure(std::string("signalfd: ") + std::strerror(errno), errno);
  return SignalFeed(std::move(fd), before);
}

SignalFeed::~SignalFeed() {
  if (fd_) ::sigprocmask(SIG_SETMASK, &mask_before_, nullptr);
}

std::optional<SignalFeed::Signal> SignalFeed::next() {
  signalfd_siginfo about{};
  if (::read(fd_.value(), &about, sizeof about) != static_cast<ssize_t>(sizeof about)) return std::nullopt;
  // SI_USER, SI_QUEUE, SI_TKILL are at most 0; SI_KERNEL is above.
  return Signal{.number = static_cast<int>(about.ssi_signo), .from_process = about.ssi_code <= 0};
}

}  // namespace sweetspot
