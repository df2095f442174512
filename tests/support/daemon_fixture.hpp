// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/varlink_test_client.hpp"

namespace sweetspot::tests {

/// A datagram socket that a thread empties all the time, as systemd does: a full one would hold the daemon up.
class DatagramSink {
 public:
  DatagramSink();
  ~DatagramSink();
  DatagramSink(const DatagramSink&) = delete;
  DatagramSink& operator=(const DatagramSink&) = delete;

  /// Not bound yet, so that a child may bind it inside its own mount namespace.
  [[nodiscard]] int fd() const;
  void bind(const std::string& path) const;
  /// All datagrams so far, in order.
  [[nodiscard]] std::vector<std::string> datagrams() const;

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

class FakeSystemd;

/// What the daemon did not come up for where it may have no mount namespace of its own.
inline constexpr std::string_view no_own_run = "mount namespaces are not allowed here";

struct DaemonSetup {
  std::string config = "{}";             ///< text of the configuration file
  std::vector<std::string> arguments;    ///< after --config, --socket, --sysfs-root, --runtime-dir and --state-dir
  std::vector<std::string> environment;  ///< "NAME=value"
  /// The daemon gets a mount namespace whose /run holds nothing but a journal socket of ours.
  bool own_journal = false;
  /// Takes the place of the fixture's own notify socket, passes what it stores to every start, and outlives the daemon.
  FakeSystemd* manager = nullptr;
};

/// What a program that ran to its end left: exit status as a shell gives it (128+n after signal n), stdout and stderr.
struct ProgramEnd {
  int status = -1;
  std::string said;
};

/// The built sweetspotd on a board, with a socket, a runtime folder and a configuration file of its own in a temporary
/// folder. The constructor starts it and waits until it is ready; the destructor kills it. Call `unavailable()` first.
/// One at a time may run; start() after its end is the next start on the same board and folders.
class RunningDaemon {
 public:
  explicit RunningDaemon(std::string sysfs_root, DaemonSetup setup = {});
  ~RunningDaemon();
  RunningDaemon(const RunningDaemon&) = delete;
  RunningDaemon& operator=(const RunningDaemon&) = delete;

  /// Path of the built sweetspotd.
  [[nodiscard]] static std::string program();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::string socket() const { return folder_.path() + "/io.sweetspotd.Governor"; }
  [[nodiscard]] std::string runtime_dir() const { return folder_.path() + "/private"; }
  [[nodiscard]] std::string state_dir() const { return folder_.path() + "/state"; }
  [[nodiscard]] std::string config_path() const { return folder_.path() + "/config.json"; }
  [[nodiscard]] VarlinkTestClient connect() const { return VarlinkTestClient(socket()); }
  /// GetStatus over a fresh connection.
  [[nodiscard]] nlohmann::json status() const { return connect().ask("GetStatus"); }
  /// The reasons in GetStatus' health.
  [[nodiscard]] std::map<std::string, std::string> health() const;

  /// Starts it, and does not wait.
  void launch();
  /// Starts it and waits until it is ready. False: it died first. Throws when it does neither.
  bool try_start();
  /// The same, for a daemon that has to come up; throws with its words when it does not.
  void start();
  void signal(int number) const;
  /// Its exit status (128+n after signal n), once; empty when it runs on.
  [[nodiscard]] std::optional<int> ended_within(Clock::duration limit = patience);
  /// SIGTERM and its exit status; 137 when it had to be killed.
  int terminate();
  /// SIGKILL, and the end of it.
  void kill();
  void configure(const std::string& text) const;
  /// Everything on its stderr, of all starts.
  [[nodiscard]] std::string said() const;
  /// The state of its main thread as /proc has it; 'Z' when it is done but another thread hangs in the kernel, 0 when
  /// there is no such process.
  [[nodiscard]] char main_thread_state() const;
  /// `sweetspotd --restore`, with the same folders.
  [[nodiscard]] ProgramEnd restore() const;
  [[nodiscard]] ProgramEnd run(const std::vector<std::string>& arguments) const;
  /// A clock that is to be given back lies on the disk.
  [[nodiscard]] bool has_saved_clock() const;

  /// What it told $NOTIFY_SOCKET since it was made: each datagram's lines, in order.
  [[nodiscard]] std::vector<std::string> notifications() const;
  /// What it sent to the journal, entry by entry; only with own_journal.
  [[nodiscard]] std::vector<std::map<std::string, std::string>> journal() const;

 private:
  [[nodiscard]] std::vector<std::string> command(const std::vector<std::string>& arguments) const;
  [[nodiscard]] std::vector<std::string> environment() const;
  [[nodiscard]] std::string notify_socket() const;
  [[nodiscard]] std::size_t notifications_of_the_dead() const;

  std::string sysfs_root_;
  DaemonSetup setup_;
  TemporaryFolder folder_;
  std::unique_ptr<DatagramSink> notify_;
  std::vector<std::unique_ptr<DatagramSink>> journals_;  ///< one per start: a bound socket cannot be bound again
  pid_t pid_ = -1;
};

/// The fields of one datagram in the journal's native protocol.
[[nodiscard]] std::map<std::string, std::string> parse_journal_entry(const std::string& datagram);

}  // namespace sweetspot::tests
