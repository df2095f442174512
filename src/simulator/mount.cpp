// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/simulator/mount.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "simulator/fuse_server.hpp"

namespace sweetspot {

namespace {

namespace fs = std::filesystem;

bool in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string left = path == nullptr ? "/usr/bin:/bin" : path;
  while (!left.empty()) {
    const auto colon = std::min(left.find(':'), left.size());
    if (access((left.substr(0, colon) + "/" + program).c_str(), X_OK) == 0) return true;
    left.erase(0, std::min(colon + 1, left.size()));
  }
  return false;
}

Result<void> check(const std::string& directory) {
  const int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) {
    return failure("cannot open /dev/fuse: " + std::string(std::strerror(errno)) +
                       " (load the fuse module; in a container pass --device /dev/fuse)",
                   errno);
  }
  close(device);
  if (geteuid() != 0 && !in_path("fusermount3")) {
    return failure("fusermount3 is not installed (package fuse3); only root can mount without it", ENOENT);
  }
  std::error_code error;
  if (!fs::is_directory(directory, error)) return failure(directory + " is not a directory", ENOTDIR);
  if (!fs::is_empty(directory, error) || error) return failure(directory + " is not an empty directory", ENOTEMPTY);
  return {};
}

MachineOptions machine_options(const MountRequest& request) {
  return {.plant = {.seed = request.seed, .time_scale = request.time_scale, .run_noise = request.run_noise},
          .sensor_noise = request.sensor_noise,
          .power_mode = request.power_mode,
          .background = request.background,
          .uid = geteuid(),
          .gid = getegid()};
}

int stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return signalfd(-1, &set, SFD_CLOEXEC);
}

Result<void> serve(FuseServer& server, const MountRequest& request) {
  std::string options = "fsname=sweetspot-sim,default_permissions";
  if (geteuid() == 0 || request.allow_other) options += ",allow_other";
  std::string program = "sweetspot-sim";
  std::string flag = "-o";
  std::array<char*, 3> arguments{program.data(), flag.data(), options.data()};
  fuse_args args{static_cast<int>(arguments.size()), arguments.data(), 0};
  fuse_session* session = fuse_session_new(&args, &server_operations(), sizeof(fuse_lowlevel_ops), &server);
  fuse_opt_free_args(&args);
  if (session == nullptr) return failure("libfuse refuses the session");
  const int signal_fd = stop_signals();
  if (fuse_session_mount(session, request.directory.c_str()) != 0) {
    fuse_session_destroy(session);
    close(signal_fd);
    return failure("cannot mount at " + request.directory +
                   (request.allow_other ? " (--allow-other needs user_allow_other in /etc/fuse.conf)" : ""));
  }
  server.serve(session, signal_fd);
  fuse_session_unmount(session);
  fuse_session_destroy(session);
  close(signal_fd);
  return {};
}

}  // namespace

Result<void> run_mount(MountRequest request) {
  if (auto ok = check(request.directory); !ok) return ok;
  Machine machine(request.board, machine_options(request), std::chrono::steady_clock::now());
  for (const auto& fault : request.faults) {
    if (auto done = machine.control(fault, {.id = 0, .program = "mount"}); !done) {
      return failure("--fault '" + fault + "': " + done.error().message, EINVAL);
    }
  }
  FuseServer server(machine, request.on_ready);
  return serve(server, request);
}

std::string fault_grammar() {
  return control_grammar();
}

}  // namespace sweetspot
