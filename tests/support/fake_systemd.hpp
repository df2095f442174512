// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace sweetspot::tests {

/// As much of systemd as a restart needs: the notify socket with the file descriptor store, and a system bus on which
/// the unit of whoever asks has a job. It starts and stops nothing itself: that is the test's part. Thread-safe.
class FakeSystemd {
 public:
  explicit FakeSystemd(unsigned store_places = 2056);
  ~FakeSystemd();
  FakeSystemd(const FakeSystemd&) = delete;
  FakeSystemd& operator=(const FakeSystemd&) = delete;

  /// For $NOTIFY_SOCKET and $DBUS_SYSTEM_BUS_ADDRESS.
  [[nodiscard]] std::string notify_socket() const;
  [[nodiscard]] std::string bus_address() const;

  /// The unit's job: "restart", "stop", …; empty: none.
  void set_job(std::string type);
  /// The bus takes connections and says nothing.
  void fall_silent();
  /// Runs in the manager's thread when a datagram has come, before it is acted on. Empty: nothing.
  void watch(std::function<void(const std::string& datagram)> look);

  struct Stored {
    std::string name;
    int fd = -1;  ///< the manager's
  };
  /// What it keeps, the newest first, as systemd passes it.
  [[nodiscard]] std::vector<Stored> store() const;
  [[nodiscard]] std::vector<std::string> stored_names() const;
  /// Keeps another descriptor under a name, in place of what was there.
  void replace(const std::string& name, int fd);
  void drop(const std::string& name);
  /// What systemd does with a unit that is stopped and not started again.
  void release();
  /// All datagrams so far, in order.
  [[nodiscard]] std::vector<std::string> datagrams() const;

 private:
  struct Threads;
  TemporaryFolder folder_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace sweetspot::tests
