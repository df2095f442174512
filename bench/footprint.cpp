// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "bench/exchange.hpp"
#include "bench/measurements.hpp"
#include "bench/spread.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot::bench {
namespace {

double kibibytes(pid_t process, const std::string& key) {
  std::ifstream rollup("/proc/" + std::to_string(process) + "/smaps_rollup");
  for (std::string word; rollup >> word;) {
    double value = 0;
    if (word == key && rollup >> value) return value;
  }
  throw std::runtime_error("no " + key + " in smaps_rollup");
}

/// Where a program started by systemd says READY=1.
class NotifySocket {
 public:
  explicit NotifySocket(const std::string& path)
      : variable_("NOTIFY_SOCKET=" + path), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::bind(socket_.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::system_error(errno, std::generic_category(), "bind " + path);
    const timeval patience{30, 0};
    ::setsockopt(socket_.value(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  void wait_until_ready() const {
    char text[4096];
    for (;;) {
      const ssize_t size = ::recv(socket_.value(), text, sizeof text, 0);
      if (size < 0) throw std::system_error(errno, std::generic_category(), "READY=1");
      if (std::string_view(text, static_cast<std::size_t>(size)).find("READY=1") != std::string_view::npos) return;
    }
  }
  [[nodiscard]] std::string variable() const { return variable_; }

 private:
  std::string variable_;
  UniqueFd socket_;
};

/// Its words go nowhere, as they would to a journal that is fast enough.
pid_t spawn(std::vector<std::string> words, std::string variable) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::string path = "PATH=/usr/bin:/bin";
  char* const environment[] = {variable.data(), path.data(), nullptr};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int status = ::posix_spawn(&pid, words.front().c_str(), &files, nullptr, arguments.data(), environment);
  ::posix_spawn_file_actions_destroy(&files);
  if (status != 0) throw std::system_error(status, std::generic_category(), words.front());
  return pid;
}

std::string_view without_nul(std::string_view message) {
  return message.substr(0, message.size() - 1);
}

/// Asks until the first look at the board is over; a status waits for it, too.
void wait_for_board(const std::string& socket_path) {
  Exchange asking(socket_path);
  const std::string request = call_message("GetStatus", "{}");
  const auto seen = [&] {
    const auto status = nlohmann::json::parse(without_nul(asking.ask(request))).at("parameters");
    return !status.at("gpu").at("node").is_null() && !status.at("rails").empty();
  };
  if (!tests::eventually(seen)) throw std::runtime_error("the daemon does not find the board");
}

void end(pid_t pid) {
  ::kill(pid, SIGTERM);
  ::waitpid(pid, nullptr, 0);
}

}  // namespace

std::vector<Row> measure_memory(const std::string& sysfs_root) {
  const tests::RunningDaemon daemon(sysfs_root, with_journal());
  wait_until_idle(daemon);
  std::vector<Row> rows;
  for (const auto& [name, key, aim] :
       {std::tuple{"idle daemon, PSS", "Pss:", std::optional(4.0)},
        std::tuple{"idle daemon, RSS", "Rss:", std::optional<double>()},
        std::tuple{"idle daemon, private and written", "Private_Dirty:", std::optional<double>()}})
    rows.push_back({name, "MiB", kibibytes(daemon.pid(), key) / 1024, {}, aim});
  return rows;
}

std::vector<Row> measure_starts(const std::string& sysfs_root, const Effort& effort) {
  const tests::TemporaryFolder folder;
  const NotifySocket notify(folder.path() + "/notify");
  const std::string no_board = folder.path() + "/empty";
  std::filesystem::create_directory(no_board);
  std::ofstream(folder.path() + "/config.json") << "{}";
  const auto start_on = [&](const std::string& root) {
    const pid_t pid = spawn({tests::RunningDaemon::program(), "--socket", folder.path() + "/socket", "--sysfs-root",
                             root, "--runtime-dir", folder.path() + "/private", "--state-dir", folder.path() + "/state",
                             "--config", folder.path() + "/config.json"},
                            notify.variable());
    notify.wait_until_ready();
    return pid;
  };
  Spread starts;
  Spread looks;
  Spread without_board;
  Spread bare;
  for (int i = 0; i < effort.starts; ++i) {
    pid_t pid = -1;
    const auto began = Clock::now();
    time_into(starts, [&] { pid = start_on(sysfs_root); });
    wait_for_board(folder.path() + "/socket");
    looks.add(Clock::now() - began);
    end(pid);
    time_into(without_board, [&] { pid = start_on(no_board); });
    end(pid);
    time_into(bare, [&] {
      pid = spawn({"/bin/true"}, notify.variable());
      ::waitpid(pid, nullptr, 0);
    });
  }
  return {{"start to READY=1, median", "ms", starts.median() / 1e3, {}, 30.0},
          {"start to READY=1, p95", "ms", starts.quantile(0.95) / 1e3, {}, 30.0},
          {"  until a status shows GPU and rails, median", "ms", looks.median() / 1e3, {}, {}},
          {"  until a status shows GPU and rails, p95", "ms", looks.quantile(0.95) / 1e3, {}, {}},
          {"  where there is no board to look at, median", "ms", without_board.median() / 1e3, {}, {}},
          {"  start and end of /bin/true, median", "ms", bare.median() / 1e3, {}, {}}};
}

}  // namespace sweetspot::bench
