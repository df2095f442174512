// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/wait.hpp"

namespace sweetspot::tests {

/// One connection to the daemon's socket that sends whatever a test wants, well-formed or not, and never waits longer
/// than it is told. Knows nothing of the project's own wire code. Not thread-safe.
class VarlinkTestClient {
 public:
  /// Throws std::system_error when nobody listens.
  explicit VarlinkTestClient(const std::string& socket_path);
  ~VarlinkTestClient();
  VarlinkTestClient(VarlinkTestClient&& other) noexcept;
  VarlinkTestClient(const VarlinkTestClient&) = delete;
  VarlinkTestClient& operator=(const VarlinkTestClient&) = delete;

  /// All bytes as they are; false when the peer hung up or took none of them for `limit`.
  bool send_bytes(std::string_view bytes, Clock::duration limit = patience);
  /// What the socket takes at once, without waiting: the number of bytes.
  std::size_t send_some(std::string_view bytes);
  /// One message: the JSON text and its NUL.
  bool send(const nlohmann::json& message) { return send_bytes(message.dump() + '\0'); }
  /// A call of io.sweetspotd.Governor ("GetStatus"), or of another interface when the name has a dot.
  bool send_call(const std::string& method, nlohmann::json parameters = nlohmann::json::object(),
                 nlohmann::json flags = nlohmann::json::object());

  /// The next message; empty: the peer hung up, or none came in time.
  [[nodiscard]] std::optional<nlohmann::json> receive(Clock::duration limit = patience);
  /// send_call() and its reply, {"parameters": …} or {"error": …, "parameters": …}. Throws std::runtime_error without.
  nlohmann::json call(const std::string& method, nlohmann::json parameters = nlohmann::json::object(),
                      Clock::duration limit = patience);
  /// The parameters of the reply; throws std::runtime_error with an error reply's text.
  nlohmann::json ask(const std::string& method, nlohmann::json parameters = nlohmann::json::object(),
                     Clock::duration limit = patience);
  /// The peer hangs up within the limit; what it sends until then is thrown away.
  [[nodiscard]] bool hung_up(Clock::duration limit = patience);

  void finish_sending();
  void close();
  [[nodiscard]] int fd() const { return fd_; }

 private:
  /// False: hung up, or nothing came in time.
  bool receive_bytes(Clock::time_point deadline);

  int fd_ = -1;
  bool peer_done_ = false;
  std::string received_;
};

}  // namespace sweetspot::tests
