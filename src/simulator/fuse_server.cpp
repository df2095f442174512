// SPDX-License-Identifier: Apache-2.0
#include "simulator/fuse_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "simulator/process_name.hpp"

namespace sweetspot {

namespace {

// As sysfs: every attribute claims a page, and one store takes at most a page.
constexpr std::size_t page = 4096;

Instant present() {
  return std::chrono::steady_clock::now();
}

}  // namespace

void FuseServer::serve(fuse_session* session, int signal_fd) {
  const int fuse_fd = fuse_session_fd(session);
  fcntl(fuse_fd, F_SETFL, fcntl(fuse_fd, F_GETFL) | O_NONBLOCK);
  fuse_buf buffer{};
  while (fuse_session_exited(session) == 0) {
    std::array<pollfd, 2> waiting{{{fuse_fd, POLLIN, 0}, {signal_fd, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), wait_ms()) < 0 && errno != EINTR) break;
    if (waiting[1].revents != 0) break;
    machine_.advance(present());
    run_due();
    if (waiting[0].revents == 0) continue;
    const int size = fuse_session_receive_buf(session, &buffer);
    if (size > 0) {
      machine_.advance(present());
      fuse_session_process_buf(session, &buffer);
    } else if (size != -EAGAIN && size != -EINTR && size != 0) {
      break;
    }
  }
  std::free(buffer.mem);
  for (auto& [due, action] : held_) action();
  held_.clear();
}

int FuseServer::wait_ms() const {
  if (held_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(held_.begin()->first - present());
  return static_cast<int>(std::max<std::int64_t>(0, left.count()));
}

void FuseServer::run_due() {
  while (!held_.empty() && held_.begin()->first <= present()) {
    auto due = held_.extract(held_.begin());
    due.mapped()();
  }
}

void FuseServer::when_free(NodeId id, AccessKind kind, std::function<void()> action) {
  if (const auto until = machine_.held_until(id, kind)) {
    held_.emplace(*until, std::move(action));
  } else {
    action();
  }
}

void FuseServer::ready() {
  if (on_ready_) on_ready_();
}

struct stat FuseServer::status(NodeId id) const {
  const AttributeNode& node = machine_.tree().node(id);
  struct stat st {};
  st.st_ino = id;
  st.st_uid = node.uid;
  st.st_gid = node.gid;
  st.st_nlink = 1;
  switch (node.kind) {
    case AttributeNode::Kind::directory:
      st.st_mode = S_IFDIR | node.mode;
      st.st_nlink = 2;
      break;
    case AttributeNode::Kind::link:
      st.st_mode = S_IFLNK | 0777U;
      st.st_size = static_cast<off_t>(node.target.size());
      break;
    case AttributeNode::Kind::attribute:
      st.st_mode = S_IFREG | node.mode;
      st.st_size = page;
      break;
  }
  return st;
}

void FuseServer::lookup(fuse_req_t request, NodeId parent, const char* name) {
  const NodeId id = machine_.tree().child(parent, name);
  if (id == 0) {
    fuse_reply_err(request, ENOENT);
    return;
  }
  fuse_entry_param entry{};
  entry.ino = id;
  entry.attr = status(id);
  fuse_reply_entry(request, &entry);
}

void FuseServer::attributes(fuse_req_t request, NodeId id) {
  const struct stat st = status(id);
  fuse_reply_attr(request, &st, 0);
}

// A size is accepted and ignored: O_TRUNC on a sysfs file does nothing.
void FuseServer::change(fuse_req_t request, NodeId id, const struct stat& wanted, int which) {
  AttributeNode& node = machine_.tree().node(id);
  if ((which & FUSE_SET_ATTR_MODE) != 0) node.mode = wanted.st_mode & 07777U;
  if ((which & FUSE_SET_ATTR_UID) != 0) node.uid = wanted.st_uid;
  if ((which & FUSE_SET_ATTR_GID) != 0) node.gid = wanted.st_gid;
  attributes(request, id);
}

void FuseServer::link_target(fuse_req_t request, NodeId id) {
  fuse_reply_readlink(request, machine_.tree().node(id).target.c_str());
}

void FuseServer::list(fuse_req_t request, NodeId id, std::size_t size, off_t offset) {
  const AttributeNode& node = machine_.tree().node(id);
  std::vector<std::pair<std::string, NodeId>> entries{{".", id}, {"..", node.parent}};
  entries.insert(entries.end(), node.children.begin(), node.children.end());
  std::string reply(size, '\0');
  std::size_t used = 0;
  for (auto i = static_cast<std::size_t>(offset); i < entries.size(); ++i) {
    const struct stat st = status(entries[i].second);
    const std::size_t needed = fuse_add_direntry(request, reply.data() + used, size - used, entries[i].first.c_str(),
                                                 &st, static_cast<off_t>(i + 1));
    if (needed > size - used) break;
    used += needed;
  }
  fuse_reply_buf(request, reply.data(), used);
}

bool FuseServer::counted(NodeId id) {
  return machine_.tree().node(id).path.rfind("/sys/", 0) == 0;
}

FuseServer::Caller FuseServer::caller_of(fuse_req_t request, NodeId id, std::string& program) {
  Caller caller{.thread = fuse_req_ctx(request)->pid, .fate = Fate::lives};
  program = process_name(caller.thread);
  if (counted(id)) caller.fate = machine_.ledger().count(program);
  // The id may be a thread's; the signal reaches its whole process. 0 is a process we cannot see.
  if (caller.fate == Fate::dies_before && caller.thread > 0) kill(caller.thread, SIGKILL);
  return caller;
}

void FuseServer::finish(const Caller& caller) const {
  if (caller.fate == Fate::dies_after && caller.thread > 0) kill(caller.thread, SIGKILL);
}

void FuseServer::open(fuse_req_t request, NodeId id, fuse_file_info& file) {
  OpenFile opened{.node = id, .opening = {.id = next_handle_, .program = {}}, .shown = {}, .rendered = false};
  const Caller caller = caller_of(request, id, opened.opening.program);
  if (caller.fate == Fate::dies_before) {
    fuse_reply_err(request, EINTR);
    return;
  }
  const AttributeNode& node = machine_.tree().node(id);
  const int access = file.flags & O_ACCMODE;
  const bool reads = access != O_WRONLY;
  const bool writes = access != O_RDONLY;
  finish(caller);
  if (!node.attached) {
    fuse_reply_err(request, ENODEV);
  } else if ((writes && (!node.store || (node.mode & 0222U) == 0)) || (reads && !node.show)) {
    // sysfs refuses what has no store or show, root or not.
    fuse_reply_err(request, EACCES);
  } else {
    file.fh = next_handle_++;
    file.direct_io = 1;
    files_.emplace(file.fh, std::move(opened));
    fuse_reply_open(request, &file);
  }
}

void FuseServer::read(fuse_req_t request, std::size_t size, off_t offset, std::uint64_t handle) {
  OpenFile& file = files_.at(handle);
  const Caller caller = caller_of(request, file.node, file.opening.program);
  if (caller.fate == Fate::dies_before) {
    fuse_reply_err(request, EINTR);
    return;
  }
  when_free(file.node, AccessKind::read, [=, this] { answer_read(request, size, offset, handle, caller); });
}

// As kernfs: show() runs anew at offset 0; later offsets see what it gave.
void FuseServer::answer_read(fuse_req_t request, std::size_t size, off_t offset, std::uint64_t handle, Caller caller) {
  OpenFile& file = files_.at(handle);
  if (offset == 0 || !file.rendered) {
    auto text = machine_.show(file.node, file.opening);
    if (!text) {
      finish(caller);
      fuse_reply_err(request, text.error());
      return;
    }
    file.shown = std::move(*text);
    file.rendered = true;
  }
  const auto begin = std::min(static_cast<std::size_t>(offset), file.shown.size());
  finish(caller);
  fuse_reply_buf(request, file.shown.data() + begin, std::min(size, file.shown.size() - begin));
}

void FuseServer::write(fuse_req_t request, std::string text, std::uint64_t handle) {
  OpenFile& file = files_.at(handle);
  const Caller caller = caller_of(request, file.node, file.opening.program);
  if (caller.fate == Fate::dies_before) {
    fuse_reply_err(request, EINTR);
    return;
  }
  text.resize(std::min(text.size(), page));
  when_free(file.node, AccessKind::write, [=, this, text = std::move(text)] {
    const OpenFile& target = files_.at(handle);
    const int code = machine_.store(target.node, text, target.opening);
    finish(caller);
    if (code != 0) {
      fuse_reply_err(request, code);
    } else {
      fuse_reply_write(request, text.size());
    }
  });
}

void FuseServer::close(fuse_req_t request, std::uint64_t handle) {
  if (const auto file = files_.find(handle); file != files_.end()) {
    machine_.closed(file->second.opening);
    files_.erase(file);
  }
  fuse_reply_err(request, 0);
}

}  // namespace sweetspot
