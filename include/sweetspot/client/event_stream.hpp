// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "sweetspot/client/connection.hpp"

namespace sweetspot {

/// The replies of one Watch call, on a connection of its own. Destroying it ends the watch.
class EventStream {
 public:
  [[nodiscard]] static Result<EventStream> open(const std::string& socket_path, std::optional<std::int64_t> period_ms,
                                                Duration timeout);
  /// The next event's JSON (for parse_watch_event) if it is here; empty when it has yet to come. An error ends the
  /// stream: a refusal, or the daemon hung up.
  [[nodiscard]] Result<std::optional<std::string>> next_now();
  /// Readable when next_now() has something to say; messages already read must be taken before polling.
  [[nodiscard]] int fd() const { return connection_.fd(); }

 private:
  explicit EventStream(Connection connection) : connection_(std::move(connection)) {}
  Connection connection_;
};

}  // namespace sweetspot
