// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sweetspot/platform/unique_fd.hpp"
#include "sweetspot/wire/varlink_framing.hpp"
#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {

/// The daemon's end of one connection, as a script sees it.
class FakePeer {
 public:
  explicit FakePeer(UniqueFd fd) : fd_(std::move(fd)) {}
  /// The next call; empty when the client hung up.
  std::optional<nlohmann::json> next_call();
  /// Sends bytes as they are; a whole reply ends with its own NUL.
  void send(std::string_view bytes) const;
  void hang_up() { fd_.reset(); }
  /// Returns when the client has hung up or the server is torn down.
  void wait_for_hang_up();
  [[nodiscard]] int fd() const { return fd_.value(); }

 private:
  UniqueFd fd_;
  MessageReader reader_;
};

/// A varlink service that does what its script says, once per connection. The script runs on a thread of its own;
/// tearing down closes every connection first, so that it ends.
class FakeServer {
 public:
  using Script = std::function<void(FakePeer&)>;
  explicit FakeServer(Script script);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void accept_all();
  void serve(UniqueFd fd);

  TemporaryFolder folder_;
  std::string path_;
  Script script_;
  UniqueFd listener_;
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A server that answers as sweetspotd does, for one job with number 7 of the user who runs the test. Methods can be
/// given other answers; calls are kept.
class FakeDaemon {
 public:
  using Answer = std::function<void(FakePeer&, const nlohmann::json& parameters)>;
  FakeDaemon();

  /// `method` without its interface. Before the first client.
  void answer(const std::string& method, Answer reaction);
  [[nodiscard]] const std::string& path() const { return server_.path(); }
  /// Parameters of every call of `method` so far.
  [[nodiscard]] std::vector<nlohmann::json> calls(const std::string& method) const;

 private:
  void talk(FakePeer& peer);

  mutable std::mutex mutex_;
  std::map<std::string, Answer> answers_;  // guarded by mutex_, like the calls
  std::vector<std::pair<std::string, nlohmann::json>> calls_;
  FakeServer server_;
};

}  // namespace sweetspot::tests
