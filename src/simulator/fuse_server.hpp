// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "simulator/fuse_api.hpp"
#include "simulator/machine.hpp"

namespace sweetspot {

/// Answers FUSE requests from a Machine. One thread: requests are answered at once, or, where a file is blocked or
/// slow, put aside until their time comes, so a blocked file stalls nothing else. The killing of a caller cannot
/// deadlock either: the signal is sent before the answer, and the kernel lets the process die when the answer arrives.
class FuseServer {
 public:
  FuseServer(Machine& machine, std::function<void()> on_ready) : machine_(machine), on_ready_(std::move(on_ready)) {}

  /// Serves until a stop signal arrives on `signal_fd` or the file system is unmounted.
  void serve(fuse_session* session, int signal_fd);

  void ready();
  void lookup(fuse_req_t request, NodeId parent, const char* name);
  void attributes(fuse_req_t request, NodeId id);
  void change(fuse_req_t request, NodeId id, const struct stat& wanted, int which);
  void link_target(fuse_req_t request, NodeId id);
  void list(fuse_req_t request, NodeId id, std::size_t size, off_t offset);
  void open(fuse_req_t request, NodeId id, fuse_file_info& file);
  void read(fuse_req_t request, std::size_t size, off_t offset, std::uint64_t handle);
  void write(fuse_req_t request, std::string text, std::uint64_t handle);
  void close(fuse_req_t request, std::uint64_t handle);

 private:
  struct OpenFile {
    NodeId node = 0;
    Opening opening;
    std::string shown;  ///< as rendered by the last read at offset 0
    bool rendered = false;
  };
  struct Caller {
    pid_t thread = 0;
    Fate fate = Fate::lives;
  };

  [[nodiscard]] struct stat status(NodeId id) const;
  [[nodiscard]] bool counted(NodeId id);
  /// Counts the access; kills at once where the order says before, and then the access must not be carried out.
  [[nodiscard]] Caller caller_of(fuse_req_t request, NodeId id, std::string& program);
  void finish(const Caller& caller) const;
  /// Carries out now, or when the file lets it through.
  void when_free(NodeId id, AccessKind kind, std::function<void()> action);
  void answer_read(fuse_req_t request, std::size_t size, off_t offset, std::uint64_t handle, Caller caller);
  void run_due();
  [[nodiscard]] int wait_ms() const;

  Machine& machine_;
  std::function<void()> on_ready_;
  std::map<std::uint64_t, OpenFile> files_;
  std::multimap<Instant, std::function<void()>> held_;
  std::uint64_t next_handle_ = 1;
};

/// The request table that hands everything to the FuseServer given as the session's user data.
[[nodiscard]] const fuse_lowlevel_ops& server_operations();

}  // namespace sweetspot
