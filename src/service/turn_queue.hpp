// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

namespace sweetspot {

/// Which connection is served next: users take turns, and all connections of one user share that user's turns, so that
/// who opens many gets no more of the daemon than who has one. A connection stands in it at most once: that is the
/// caller's business. Loop thread only.
class TurnQueue {
 public:
  void push(std::uint32_t uid, std::uint64_t connection) {
    std::deque<std::uint64_t>& of_uid = waiting_[uid];
    if (of_uid.empty()) turns_.push_back(uid);
    of_uid.push_back(connection);
  }

  /// Takes the one that has waited longest of the user whose turn it is; empty when nobody waits.
  [[nodiscard]] std::optional<std::uint64_t> pop() {
    if (turns_.empty()) return std::nullopt;
    const auto user = waiting_.find(turns_.front());
    turns_.pop_front();
    const std::uint64_t connection = user->second.front();
    user->second.pop_front();
    if (user->second.empty()) {
      waiting_.erase(user);
    } else {
      turns_.push_back(user->first);
    }
    return connection;
  }

  [[nodiscard]] bool empty() const { return turns_.empty(); }

 private:
  std::deque<std::uint32_t> turns_;  ///< users with a connection that waits, each once
  std::map<std::uint32_t, std::deque<std::uint64_t>> waiting_;
};

}  // namespace sweetspot
