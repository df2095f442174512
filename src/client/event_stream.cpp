// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/event_stream.hpp"

namespace sweetspot {

Result<EventStream> EventStream::open(const std::string& socket_path, std::optional<std::int64_t> period_ms,
                                      Duration timeout) {
  auto connection = Connection::open(socket_path, timeout);
  if (!connection) return failure(std::move(connection.error()));
  if (auto sent = connection->send({.what = Watch{period_ms}, .more = true}, timeout); !sent)
    return failure(std::move(sent.error()));
  return EventStream(std::move(*connection));
}

Result<std::optional<std::string>> EventStream::next_now() {
  auto reply = connection_.receive_now();
  if (!reply) return failure(std::move(reply.error()));
  if (!*reply) return std::nullopt;
  if ((*reply)->error) return failure((*reply)->error->sentence);
  return std::optional<std::string>(std::move((*reply)->parameters));
}

}  // namespace sweetspot
