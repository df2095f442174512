// SPDX-License-Identifier: Apache-2.0
#include "tests/support/daemon_fixture.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "places.hpp"
#include "tests/support/fake_systemd.hpp"

namespace sweetspot::tests {

namespace {

constexpr const char* journal_folder = "/run/systemd/journal";
constexpr const char* journal_socket = "/run/systemd/journal/socket";

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A private /run with nothing but our journal socket in it. Between fork and exec: system calls only.
bool enter_own_run(int socket) {
  if (::geteuid() != 0 && ::unshare(CLONE_NEWUSER) != 0) return false;
  if (::unshare(CLONE_NEWNS) != 0) return false;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  if (::mount("tmpfs", "/run", "tmpfs", 0, nullptr) != 0) return false;
  if (::mkdir("/run/systemd", 0755) != 0 || ::mkdir(journal_folder, 0755) != 0) return false;
  const sockaddr_un address = address_of(journal_socket);
  return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

struct Launch {
  std::vector<std::string> command;
  std::vector<std::string> environment;
  int output = -1;
  int journal = -1;
  std::vector<int> passed;  ///< become 3, 4, …
};

/// Up to this many are passed through without allocating anything between fork and exec.
constexpr std::size_t most_passed = 4096;

/// Between fork and exec: system calls only.
void place_passed(const std::vector<int>& passed) {
  static std::array<int, most_passed> aside{};
  const int first_free = 3 + static_cast<int>(passed.size());
  for (std::size_t i = 0; i < passed.size(); ++i) aside[i] = ::fcntl(passed[i], F_DUPFD_CLOEXEC, first_free);
  for (std::size_t i = 0; i < passed.size(); ++i) ::dup2(aside[i], 3 + static_cast<int>(i));
}

/// LISTEN_PID is known in the child only, where nothing may allocate: its place is in the environment already.
constexpr const char* listen_pid = "LISTEN_PID=";
void write_own_pid(char* variable) {
  std::array<char, 16> digits{};
  std::size_t count = 0;
  for (pid_t rest = ::getpid(); rest > 0; rest /= 10) digits[count++] = static_cast<char>('0' + rest % 10);
  char* out = variable + std::strlen(listen_pid);
  while (count > 0) *out++ = digits[--count];
  *out = '\0';
}

pid_t launch_program(Launch launch) {
  const std::vector<char*> arguments = pointers_to(launch.command);
  const std::vector<char*> environment = pointers_to(launch.environment);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child > 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  ::dup2(launch.output, STDOUT_FILENO);
  ::dup2(launch.output, STDERR_FILENO);
  if (launch.journal >= 0 && !enter_own_run(launch.journal)) {
    (void)!::write(STDERR_FILENO, no_own_run.data(), no_own_run.size());
    ::_exit(126);
  }
  if (!launch.passed.empty()) place_passed(launch.passed);
  for (char* variable : environment) {
    if (variable != nullptr && std::strncmp(variable, listen_pid, std::strlen(listen_pid)) == 0)
      write_own_pid(variable);
  }
  ::execve(arguments.front(), arguments.data(), environment.data());
  ::_exit(127);
}

/// What systemd passes at a start besides sockets, which this manager has none of.
void pass_stored(const FakeSystemd& manager, Launch& launch) {
  std::string names;
  for (const FakeSystemd::Stored& stored : manager.store()) {
    launch.passed.push_back(stored.fd);
    names += (names.empty() ? "" : ":") + stored.name;
  }
  if (launch.passed.empty()) return;
  if (launch.passed.size() > most_passed) throw std::logic_error("more descriptors than this fixture passes");
  launch.environment.push_back("LISTEN_FDS=" + std::to_string(launch.passed.size()));
  launch.environment.push_back("LISTEN_FDNAMES=" + names);
  launch.environment.push_back(listen_pid + std::string(16, '0'));
}

int open_output(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

/// Of a child that has ended; empty while it runs.
std::optional<int> reap(pid_t pid) {
  int status = 0;
  const pid_t ended = ::waitpid(pid, &status, WNOHANG);
  if (ended == 0) return std::nullopt;
  if (ended < 0) throw std::system_error(errno, std::generic_category(), "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

struct DatagramSink::Reader {
  int socket = -1;
  int stop = -1;
  std::mutex mutex;
  std::vector<std::string> datagrams;
  std::thread thread;

  void run() {
    std::vector<char> buffer(256 * 1024);
    for (;;) {
      std::array<pollfd, 2> waiting{{{socket, POLLIN, 0}, {stop, POLLIN, 0}}};
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
      if (waiting[1].revents != 0) return;
      const ssize_t size = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size < 0) continue;
      const std::lock_guard lock(mutex);
      datagrams.emplace_back(buffer.data(), static_cast<std::size_t>(size));
    }
  }
};

DatagramSink::DatagramSink() : reader_(std::make_unique<Reader>()) {
  reader_->socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  reader_->stop = ::eventfd(0, EFD_CLOEXEC);
  reader_->thread = std::thread([reader = reader_.get()] { reader->run(); });
}

DatagramSink::~DatagramSink() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(reader_->stop, &one, sizeof one);
  reader_->thread.join();
  ::close(reader_->socket);
  ::close(reader_->stop);
}

int DatagramSink::fd() const {
  return reader_->socket;
}

void DatagramSink::bind(const std::string& path) const {
  const sockaddr_un address = address_of(path);
  if (::bind(reader_->socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::system_error(errno, std::generic_category(), "bind " + path);
}

std::vector<std::string> DatagramSink::datagrams() const {
  const std::lock_guard lock(reader_->mutex);
  return reader_->datagrams;
}

RunningDaemon::RunningDaemon(std::string sysfs_root, DaemonSetup setup)
    : sysfs_root_(std::move(sysfs_root)), setup_(std::move(setup)), notify_(std::make_unique<DatagramSink>()) {
  ::chmod(folder_.path().c_str(), 0755);  // clients of other users come in
  notify_->bind(folder_.path() + "/notify");
  configure(setup_.config);
  start();
}

RunningDaemon::~RunningDaemon() {
  kill();
}

std::string RunningDaemon::program() {
  return SWEETSPOTD_PROGRAM;
}

std::vector<std::string> RunningDaemon::command(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words{program(),   "--config",      config_path(), "--socket",    socket(),   "--sysfs-root",
                                 sysfs_root_, "--runtime-dir", runtime_dir(), "--state-dir", state_dir()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

std::vector<std::string> RunningDaemon::environment() const {
  std::vector<std::string> variables;
  variables.push_back("NOTIFY_SOCKET=" + notify_socket());
  if (setup_.manager != nullptr) {
    variables.push_back("DBUS_SYSTEM_BUS_ADDRESS=" + setup_.manager->bus_address());
  } else {
    variables.push_back("DBUS_SYSTEM_BUS_ADDRESS=unix:path=" + folder_.path() + "/no-bus");
  }
  for (const char* const* variable = ::environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool systemds = text.rfind("NOTIFY_SOCKET=", 0) == 0 || text.rfind("DBUS_", 0) == 0 ||
                          text.rfind("LISTEN_", 0) == 0 || text.rfind("WATCHDOG_", 0) == 0 ||
                          text.rfind("JOURNAL_STREAM=", 0) == 0;
    if (!systemds) variables.emplace_back(text);
  }
  variables.insert(variables.end(), setup_.environment.begin(), setup_.environment.end());
  return variables;
}

void RunningDaemon::launch() {
  const int output = open_output(folder_.path() + "/said");
  if (setup_.own_journal) journals_.push_back(std::make_unique<DatagramSink>());
  Launch launch{.command = command(setup_.arguments),
                .environment = environment(),
                .output = output,
                .journal = setup_.own_journal ? journals_.back()->fd() : -1};
  if (setup_.manager != nullptr) pass_stored(*setup_.manager, launch);
  pid_ = launch_program(std::move(launch));
  ::close(output);
}

std::vector<std::string> RunningDaemon::notifications() const {
  return setup_.manager != nullptr ? setup_.manager->datagrams() : notify_->datagrams();
}

/// What a daemon that was killed has said may still be on its way: a word of our own comes after it.
std::size_t RunningDaemon::notifications_of_the_dead() const {
  const std::string word = "X_START=" + std::to_string(notifications().size());
  const sockaddr_un address = address_of(notify_socket());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const ssize_t sent = ::sendto(fd, word.data(), word.size(), 0, reinterpret_cast<const sockaddr*>(&address),
                                static_cast<socklen_t>(sizeof address));
  ::close(fd);
  if (sent < 0) throw std::system_error(errno, std::generic_category(), notify_socket());
  std::size_t told = 0;
  const bool heard = eventually([&] {
    const auto all = notifications();
    told = all.size();
    return std::find(all.begin(), all.end(), word) != all.end();
  });
  if (!heard) throw std::runtime_error("nobody reads " + notify_socket());
  return told;
}

std::string RunningDaemon::notify_socket() const {
  return setup_.manager != nullptr ? setup_.manager->notify_socket() : folder_.path() + "/notify";
}

bool RunningDaemon::try_start() {
  if (pid_ > 0) throw std::logic_error("the daemon runs already");
  const std::size_t told_before = notifications_of_the_dead();
  launch();
  bool ready = false;
  const auto settled = [&] {
    const auto told = notifications();
    ready = std::any_of(told.begin() + static_cast<std::ptrdiff_t>(told_before), told.end(),
                        [](const std::string& text) { return text.find("READY=1") != std::string::npos; });
    return ready || main_thread_state() == 'Z';
  };
  if (!eventually(settled)) throw std::runtime_error("the daemon is not ready in time: " + said());
  return ready;
}

void RunningDaemon::start() {
  if (!try_start()) throw std::runtime_error("the daemon did not come up: " + said());
}

std::map<std::string, std::string> RunningDaemon::health() const {
  std::map<std::string, std::string> reasons;
  const nlohmann::json report = status();
  for (const auto& trouble : report.at("health")) reasons[trouble.at("reason")] = trouble.at("detail");
  return reasons;
}

void RunningDaemon::signal(int number) const {
  if (pid_ > 0) ::kill(pid_, number);
}

std::optional<int> RunningDaemon::ended_within(Clock::duration limit) {
  if (pid_ <= 0) throw std::logic_error("the daemon does not run");
  std::optional<int> status;
  if (!eventually([&] { return (status = reap(pid_)).has_value(); }, limit)) return std::nullopt;
  pid_ = -1;
  return status;
}

int RunningDaemon::terminate() {
  signal(SIGTERM);
  if (const auto status = ended_within()) return *status;
  kill();
  return 128 + SIGKILL;
}

void RunningDaemon::kill() {
  if (pid_ <= 0) return;
  signal(SIGKILL);
  (void)ended_within();
}

void RunningDaemon::configure(const std::string& text) const {
  const std::string fresh = config_path() + ".new";
  std::ofstream(fresh) << text;
  if (::rename(fresh.c_str(), config_path().c_str()) != 0)
    throw std::system_error(errno, std::generic_category(), config_path());
}

std::string RunningDaemon::said() const {
  return content_of(folder_.path() + "/said");
}

char RunningDaemon::main_thread_state() const {
  const std::string stat = content_of("/proc/" + std::to_string(pid_) + "/stat");
  const std::size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() ? '\0' : stat[end + 2];
}

ProgramEnd RunningDaemon::restore() const {
  return run({"--restore"});
}

ProgramEnd RunningDaemon::run(const std::vector<std::string>& arguments) const {
  const std::string path = folder_.path() + "/run-said";
  ::unlink(path.c_str());
  const int output = open_output(path);
  const pid_t pid = launch_program({.command = command(arguments), .environment = environment(), .output = output});
  ::close(output);
  ProgramEnd end;
  std::optional<int> status;
  if (!eventually([&] { return (status = reap(pid)).has_value(); })) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  end.status = status.value_or(-1);
  end.said = content_of(path);
  return end;
}

bool RunningDaemon::has_saved_clock() const {
  return ::access((runtime_dir() + "/saved-clock").c_str(), F_OK) == 0;
}

std::vector<std::map<std::string, std::string>> RunningDaemon::journal() const {
  std::vector<std::map<std::string, std::string>> entries;
  for (const auto& sink : journals_) {
    for (const std::string& datagram : sink->datagrams()) entries.push_back(parse_journal_entry(datagram));
  }
  return entries;
}

// FIELD=value\n, or for values with newlines FIELD\n, their size as 64 bits little endian, value\n.
std::map<std::string, std::string> parse_journal_entry(const std::string& datagram) {
  std::map<std::string, std::string> fields;
  std::size_t at = 0;
  while (at < datagram.size()) {
    const std::size_t end = std::min(datagram.find('\n', at), datagram.size());
    const std::string line = datagram.substr(at, end - at);
    at = end + 1;
    if (const std::size_t equals = line.find('='); equals != std::string::npos) {
      fields[line.substr(0, equals)] = line.substr(equals + 1);
      continue;
    }
    std::uint64_t size = 0;
    if (at + sizeof size > datagram.size()) break;
    std::memcpy(&size, datagram.data() + at, sizeof size);  // the tests run on little-endian machines only
    fields[line] = datagram.substr(at + sizeof size, size);
    at += sizeof size + size + 1;
  }
  return fields;
}

}  // namespace sweetspot::tests
