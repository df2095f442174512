// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <poll.h>

#include <chrono>

namespace sweetspot::tests {

using Clock = std::chrono::steady_clock;

/// How much longer a deadline of the contract may take in this build: sanitized programs are that much slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr int slowness = 10;
#else
inline constexpr int slowness = 1;
#endif

/// For what must happen, however slow the machine: running into it is a failure, never a measurement.
inline constexpr auto patience = std::chrono::seconds(30);

/// Looks every millisecond until the condition holds; false when it never did.
template <class Condition>
[[nodiscard]] bool eventually(Condition&& holds, Clock::duration limit = patience) {
  const auto deadline = Clock::now() + limit;
  while (!holds()) {
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);
  }
  return true;
}

/// The condition holds now and at every look until the time is over.
template <class Condition>
[[nodiscard]] bool stays(Condition&& holds, Clock::duration time) {
  return !eventually([&] { return !holds(); }, time);
}

/// What is left until a deadline, for poll(2).
inline int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

}  // namespace sweetspot::tests
