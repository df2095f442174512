// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_systemd.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <system_error>
#include <thread>

namespace sweetspot::tests {
namespace {

constexpr const char* unit_path = "/org/freedesktop/systemd1/unit/sweetspotd_2eservice";
constexpr const char* job_path = "/org/freedesktop/systemd1/job/4711";

int listening_on(const std::string& path, int type) {
  const int fd = ::socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (fd < 0 || ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      (type == SOCK_STREAM && ::listen(fd, 64) != 0))
    throw std::system_error(errno, std::generic_category(), "listen on " + path);
  return fd;
}

std::string value_of(const std::string& datagram, const std::string& key) {
  const std::string lines = "\n" + datagram + "\n";
  const std::size_t at = lines.find("\n" + key + "=");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + key.size() + 2;
  return lines.substr(begin, lines.find('\n', begin) - begin);
}

}  // namespace

struct FakeSystemd::Threads {
  unsigned places = 0;
  int notify = -1;
  int bus = -1;
  int stop = -1;
  std::mutex mutex;  // guards what follows, up to the threads
  std::vector<Stored> store;
  std::vector<std::string> datagrams;
  std::string job;
  bool silent = false;
  std::function<void(const std::string&)> look;
  std::thread notify_thread;
  std::thread bus_thread;

  /// False: it is time to stop.
  bool wait_for(int fd, int timeout_ms = -1) const {
    std::array<pollfd, 2> waiting{{{fd, POLLIN, 0}, {stop, POLLIN, 0}}};
    while (::poll(waiting.data(), waiting.size(), timeout_ms) < 0 && errno == EINTR) {
    }
    return waiting[1].revents == 0;
  }

  void serve_notifications() {
    while (wait_for(notify)) {
      std::vector<int> fds;
      const auto datagram = receive(fds);
      if (!datagram) continue;
      std::function<void(const std::string&)> look_at;
      {
        const std::lock_guard lock(mutex);
        look_at = look;
      }
      if (look_at) look_at(*datagram);
      obey(*datagram, fds);
    }
  }

  std::optional<std::string> receive(std::vector<int>& fds) const {
    std::vector<char> bytes(64 * 1024);
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 64)> control{};
    iovec text{bytes.data(), bytes.size()};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t size = ::recvmsg(notify, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (size < 0) return std::nullopt;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
      fds.resize((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(fds.data(), CMSG_DATA(part), fds.size() * sizeof(int));
    }
    return std::string(bytes.data(), static_cast<std::size_t>(size));
  }

  void obey(const std::string& datagram, const std::vector<int>& fds) {
    const std::lock_guard lock(mutex);
    datagrams.push_back(datagram);
    const std::string name = value_of(datagram, "FDNAME");
    if (value_of(datagram, "FDSTOREREMOVE") == "1") drop(name);
    const bool stores = value_of(datagram, "FDSTORE") == "1";
    for (const int fd : fds) {
      if (stores && store.size() < places) {
        store.insert(store.begin(), {name, fd});
      } else {
        ::close(fd);  // of a barrier: that it is closed is what the sender waits for
      }
    }
  }

  void drop(const std::string& name) {
    std::erase_if(store, [&name](const Stored& kept) {
      if (kept.name != name) return false;
      ::close(kept.fd);
      return true;
    });
  }

  void serve_bus() {
    while (wait_for(bus)) {
      const int client = ::accept4(bus, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (client < 0) continue;
      bool says_nothing = false;
      {
        const std::lock_guard lock(mutex);
        says_nothing = silent;
      }
      if (says_nothing) {
        (void)wait_for(-1);  // until the end
        ::close(client);
        return;
      }
      talk_to(client);
    }
  }

  /// One connection until it hangs up. The library plays the server's side of the protocol.
  void talk_to(int client) {
    sd_bus* connection = nullptr;
    if (sd_bus_new(&connection) < 0) return;
    sd_id128_t id{};
    (void)sd_id128_randomize(&id);
    (void)sd_bus_set_fd(connection, client, client);
    (void)sd_bus_set_server(connection, 1, id);
    const auto answer = [](sd_bus_message* call, void* self, sd_bus_error*) {
      return static_cast<Threads*>(self)->answer(call);
    };
    (void)sd_bus_add_filter(connection, nullptr, answer, this);
    if (sd_bus_start(connection) >= 0) {
      while (wait_for(client, 20)) {
        int processed = 0;
        while ((processed = sd_bus_process(connection, nullptr)) > 0) {
        }
        if (processed < 0 || sd_bus_is_open(connection) <= 0) break;
      }
    }
    sd_bus_close_unref(connection);
  }

  int answer(sd_bus_message* call) {
    const std::string_view member = sd_bus_message_get_member(call) ? sd_bus_message_get_member(call) : "";
    if (member == "Hello") return said(sd_bus_reply_method_return(call, "s", ":1.1"));
    if (member == "GetUnitByPID") return said(sd_bus_reply_method_return(call, "o", unit_path));
    const char* interface = nullptr;
    const char* property = nullptr;
    if (member != "Get" || sd_bus_message_read(call, "ss", &interface, &property) < 0) return 0;
    return said(answer_property(call, sd_bus_message_get_path(call), property));
  }

  int answer_property(sd_bus_message* call, std::string_view path, std::string_view property) {
    const std::lock_guard lock(mutex);
    if (path == job_path && property == "JobType" && !job.empty())
      return sd_bus_reply_method_return(call, "v", "s", job.c_str());
    if (path == unit_path && property == "Job")
      return sd_bus_reply_method_return(call, "v", "(uo)", job.empty() ? 0U : 4711U, job.empty() ? "/" : job_path);
    if (path == unit_path && property == "FileDescriptorStoreMax")
      return sd_bus_reply_method_return(call, "v", "u", places);
    if (path == unit_path && property == "NFileDescriptorStore")
      return sd_bus_reply_method_return(call, "v", "u", static_cast<unsigned>(store.size()));
    return sd_bus_reply_method_errorf(call, SD_BUS_ERROR_UNKNOWN_PROPERTY, "no such property here");
  }

  static int said(int status) { return status < 0 ? status : 1; }
};

FakeSystemd::FakeSystemd(unsigned store_places) : threads_(std::make_unique<Threads>()) {
  ::chmod(folder_.path().c_str(), 0755);
  Threads& threads = *threads_;
  threads.places = store_places;
  threads.notify = listening_on(notify_socket(), SOCK_DGRAM);
  threads.bus = listening_on(folder_.path() + "/bus", SOCK_STREAM);
  threads.stop = ::eventfd(0, EFD_CLOEXEC);
  threads.notify_thread = std::thread([&threads] { threads.serve_notifications(); });
  threads.bus_thread = std::thread([&threads] { threads.serve_bus(); });
}

FakeSystemd::~FakeSystemd() {
  const std::uint64_t one = 1;
  (void)!::write(threads_->stop, &one, sizeof one);
  threads_->notify_thread.join();
  threads_->bus_thread.join();
  release();
  for (const int fd : {threads_->notify, threads_->bus, threads_->stop}) ::close(fd);
}

std::string FakeSystemd::notify_socket() const {
  return folder_.path() + "/notify";
}

std::string FakeSystemd::bus_address() const {
  return "unix:path=" + folder_.path() + "/bus";
}

void FakeSystemd::set_job(std::string type) {
  const std::lock_guard lock(threads_->mutex);
  threads_->job = std::move(type);
}

void FakeSystemd::fall_silent() {
  const std::lock_guard lock(threads_->mutex);
  threads_->silent = true;
}

void FakeSystemd::watch(std::function<void(const std::string&)> look) {
  const std::lock_guard lock(threads_->mutex);
  threads_->look = std::move(look);
}

std::vector<FakeSystemd::Stored> FakeSystemd::store() const {
  const std::lock_guard lock(threads_->mutex);
  return threads_->store;
}

std::vector<std::string> FakeSystemd::stored_names() const {
  std::vector<std::string> names;
  for (const Stored& stored : store()) names.push_back(stored.name);
  return names;
}

void FakeSystemd::replace(const std::string& name, int fd) {
  const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  const std::lock_guard lock(threads_->mutex);
  threads_->drop(name);
  threads_->store.insert(threads_->store.begin(), {name, copy});
}

void FakeSystemd::drop(const std::string& name) {
  const std::lock_guard lock(threads_->mutex);
  threads_->drop(name);
}

void FakeSystemd::release() {
  const std::lock_guard lock(threads_->mutex);
  for (const Stored& stored : threads_->store) ::close(stored.fd);
  threads_->store.clear();
}

std::vector<std::string> FakeSystemd::datagrams() const {
  const std::lock_guard lock(threads_->mutex);
  return threads_->datagrams;
}

}  // namespace sweetspot::tests
