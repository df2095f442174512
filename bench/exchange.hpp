// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot::bench {

/// A varlink connection without any JSON work: messages are texts ended by a NUL. Throws std::system_error.
class Exchange {
 public:
  explicit Exchange(const std::string& socket_path);
  /// Sends one message, NUL included, and waits for the whole reply; valid until the next call.
  std::string_view ask(std::string_view message);

 private:
  UniqueFd socket_;
  std::string reply_;
};

/// A call of io.sweetspotd.Governor as a message.
[[nodiscard]] std::string call_message(std::string_view method, std::string_view parameters);

/// The bare baseline of a round trip: a process that sends back every byte it gets, on a socket of the same kind.
class EchoServer {
 public:
  explicit EchoServer(const std::string& socket_path);
  ~EchoServer();
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

 private:
  pid_t pid_ = -1;
};

}  // namespace sweetspot::bench
