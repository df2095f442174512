// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "simulator/fuse_server.hpp"

namespace sweetspot {

namespace {

FuseServer& server(fuse_req_t request) {
  return *static_cast<FuseServer*>(fuse_req_userdata(request));
}

void refuse(fuse_req_t request) {
  fuse_reply_err(request, EPERM);
}

fuse_lowlevel_ops operations() {
  fuse_lowlevel_ops ops{};
  ops.init = [](void* user, fuse_conn_info*) { static_cast<FuseServer*>(user)->ready(); };
  ops.lookup = [](fuse_req_t r, fuse_ino_t parent, const char* name) { server(r).lookup(r, parent, name); };
  ops.getattr = [](fuse_req_t r, fuse_ino_t id, fuse_file_info*) { server(r).attributes(r, id); };
  ops.setattr = [](fuse_req_t r, fuse_ino_t id, struct stat* wanted, int which, fuse_file_info*) {
    server(r).change(r, id, *wanted, which);
  };
  ops.readlink = [](fuse_req_t r, fuse_ino_t id) { server(r).link_target(r, id); };
  ops.readdir = [](fuse_req_t r, fuse_ino_t id, std::size_t size, off_t offset, fuse_file_info*) {
    server(r).list(r, id, size, offset);
  };
  ops.open = [](fuse_req_t r, fuse_ino_t id, fuse_file_info* file) { server(r).open(r, id, *file); };
  ops.read = [](fuse_req_t r, fuse_ino_t, std::size_t size, off_t offset, fuse_file_info* file) {
    server(r).read(r, size, offset, file->fh);
  };
  ops.write = [](fuse_req_t r, fuse_ino_t, const char* text, std::size_t size, off_t, fuse_file_info* file) {
    server(r).write(r, std::string(text, size), file->fh);
  };
  ops.release = [](fuse_req_t r, fuse_ino_t, fuse_file_info* file) { server(r).close(r, file->fh); };
  // sysfs has no way to make or remove files: EACCES for creating, EPERM for the rest.
  ops.create = [](fuse_req_t r, fuse_ino_t, const char*, mode_t, fuse_file_info*) { fuse_reply_err(r, EACCES); };
  ops.mknod = [](fuse_req_t r, fuse_ino_t, const char*, mode_t, dev_t) { fuse_reply_err(r, EACCES); };
  ops.mkdir = [](fuse_req_t r, fuse_ino_t, const char*, mode_t) { refuse(r); };
  ops.unlink = [](fuse_req_t r, fuse_ino_t, const char*) { refuse(r); };
  ops.rmdir = [](fuse_req_t r, fuse_ino_t, const char*) { refuse(r); };
  ops.symlink = [](fuse_req_t r, const char*, fuse_ino_t, const char*) { refuse(r); };
  ops.link = [](fuse_req_t r, fuse_ino_t, fuse_ino_t, const char*) { refuse(r); };
  ops.rename = [](fuse_req_t r, fuse_ino_t, const char*, fuse_ino_t, const char*, unsigned) { refuse(r); };
  return ops;
}

}  // namespace

const fuse_lowlevel_ops& server_operations() {
  static const fuse_lowlevel_ops ops = operations();
  return ops;
}

}  // namespace sweetspot
