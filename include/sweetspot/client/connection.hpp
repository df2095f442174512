// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/unique_fd.hpp"
#include "sweetspot/wire/calls.hpp"
#include "sweetspot/wire/client_messages.hpp"
#include "sweetspot/wire/varlink_framing.hpp"

namespace sweetspot {

/// One blocking varlink connection. Belongs to one thread; waits by poll, never longer than it is told. Invariant: at
/// most one call is under way, and its answer is the next one read. Whatever breaks that (a timeout, a hang-up,
/// garbage, a reply over the limit) closes the connection for good, because a late answer would be taken for the next
/// one's.
class Connection {
 public:
  /// Errors say what is at `path` and what to do about it; Error::code is the errno (ETIMEDOUT after `timeout`).
  [[nodiscard]] static Result<Connection> open(const std::string& path, Duration timeout);

  /// Sends one call and, unless it is oneway, waits for one reply. A reply that is an error is a good result here.
  [[nodiscard]] Result<Reply> call(const Call& call, Duration timeout);
  /// Only sends: oneway calls, and the call a stream of replies follows.
  [[nodiscard]] Result<void> send(const Call& call, Duration timeout);
  /// Waits for the next reply. ECONNRESET: the daemon hung up.
  [[nodiscard]] Result<Reply> receive(Duration timeout);
  /// The next reply if it is here; empty when more bytes have to come first.
  [[nodiscard]] Result<std::optional<Reply>> receive_now();

  /// For poll: readable when replies or the hang-up are here. -1 once closed.
  [[nodiscard]] int fd() const { return fd_.value(); }

 private:
  explicit Connection(UniqueFd fd) : fd_(std::move(fd)), reader_(longest_reply_bytes) {}
  [[nodiscard]] Result<void> wait_for(short events, Instant deadline);
  /// Reads what is there without waiting; false: nothing.
  [[nodiscard]] Result<bool> read_some();
  [[nodiscard]] Result<std::optional<Reply>> take_reply();
  [[nodiscard]] tl::unexpected<Error> broken(std::string message, int code);

  UniqueFd fd_;
  MessageReader reader_;
};

/// Why connect(2) failed, in words with a remedy. `code` is its errno.
[[nodiscard]] std::string connect_problem(const std::string& path, int code);

}  // namespace sweetspot
