// SPDX-License-Identifier: Apache-2.0
#include "tests/client/fake_server.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "sweetspot/wire/replies.hpp"
#include "tests/client/samples.hpp"

namespace sweetspot::tests {

std::optional<nlohmann::json> FakePeer::next_call() {
  std::string message;
  while (reader_.next(message) != MessageReader::Next::message) {
    std::array<char, 4096> buffer;
    const ssize_t count = ::read(fd_.value(), buffer.data(), buffer.size());
    if (count <= 0) return std::nullopt;
    reader_.feed(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
  }
  return nlohmann::json::parse(message);
}

void FakePeer::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd_.value(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void FakePeer::wait_for_hang_up() {
  while (next_call()) {
  }
}

FakeServer::FakeServer(Script script) : path_(folder_.path() + "/socket"), script_(std::move(script)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path_.copy(address.sun_path, sizeof address.sun_path - 1);
  listener_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (::bind(listener_.value(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.value(), 16) != 0)
    throw std::runtime_error("no socket for a test");
  acceptor_ = std::thread([this] { accept_all(); });
}

FakeServer::~FakeServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
  }
  ::shutdown(listener_.value(), SHUT_RDWR);
  acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
}

void FakeServer::accept_all() {
  while (true) {
    UniqueFd fd(::accept4(listener_.value(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!fd) return;
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    open_.push_back(fd.value());
    threads_.emplace_back([this, fd = std::move(fd)]() mutable { serve(std::move(fd)); });
  }
}

void FakeServer::serve(UniqueFd fd) {
  // A second descriptor, so that the number in open_ stays ours until the script is done with it.
  const int number = fd.value();
  FakePeer peer(UniqueFd(::dup(number)));
  script_(peer);
  const std::lock_guard lock(mutex_);
  open_.erase(std::find(open_.begin(), open_.end(), number));
  ::shutdown(number, SHUT_RDWR);
}

FakeDaemon::FakeDaemon() : server_([this](FakePeer& peer) { talk(peer); }) {
  const std::lock_guard lock(mutex_);
  const auto says = [](std::string text) {
    return [text = std::move(text)](FakePeer& peer, const nlohmann::json&) { peer.send(text); };
  };
  answers_["GetInterfaceDescription"] = says(interface_description_reply("io.sweetspotd.Governor"));
  answers_["StartJob"] = says(start_job_reply(sample_start_reply()));
  answers_["EndJob"] = says(end_job_reply(sample_record()));
  answers_["Explain"] = says(explain_reply(sample_decision()));
  answers_["GetStatus"] = says(status_reply(sample_status()));
  answers_["ReportProgress"] = [](FakePeer&, const nlohmann::json&) {};
}

void FakeDaemon::answer(const std::string& method, Answer reaction) {
  const std::lock_guard lock(mutex_);
  answers_[method] = std::move(reaction);
}

void FakeDaemon::talk(FakePeer& peer) {
  while (auto call = peer.next_call()) {
    const std::string whole = call->at("method");
    const std::string method = whole.substr(whole.rfind('.') + 1);
    Answer reaction;
    {
      const std::lock_guard lock(mutex_);
      calls_.emplace_back(method, call->at("parameters"));
      reaction = answers_.at(method);
    }
    reaction(peer, call->at("parameters"));
    if (peer.fd() < 0) return;
  }
}

std::vector<nlohmann::json> FakeDaemon::calls(const std::string& method) const {
  const std::lock_guard lock(mutex_);
  std::vector<nlohmann::json> found;
  for (const auto& [name, parameters] : calls_) {
    if (name == method) found.push_back(parameters);
  }
  return found;
}

}  // namespace sweetspot::tests
