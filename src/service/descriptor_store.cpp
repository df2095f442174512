// SPDX-License-Identifier: Apache-2.0
#include "service/descriptor_store.hpp"

#include <fcntl.h>
#include <systemd/sd-daemon.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sweetspot {
namespace {

/// What sd_notify() and its kin answered: 0 when there is nobody to tell.
Result<void> told(const std::string& what, int status) {
  if (status > 0) return {};
  if (status == 0) return failure(what + ": no service manager listens", ENOTCONN);
  return failure(what + ": " + std::strerror(-status), -status);
}

}  // namespace

PassedDescriptors take_passed_descriptors() {
  PassedDescriptors passed;
  char** names = nullptr;
  const int count = sd_listen_fds_with_names(1, &names);
  for (int i = 0; i < count; ++i) {
    UniqueFd fd(SD_LISTEN_FDS_START + i);
    const std::string name = names != nullptr && names[i] != nullptr ? names[i] : "";
    if (name.rfind(stored_name_prefix, 0) == 0) {
      passed.stored.try_emplace(name, std::move(fd));  // the manager passes the newest of a name first
    } else {
      passed.sockets.push_back(std::move(fd));
    }
  }
  for (char** name = names; name != nullptr && *name != nullptr; ++name) std::free(*name);
  std::free(names);
  return passed;
}

Result<void> store_descriptor(const std::string& name, int fd) {
  const std::string message = "FDSTORE=1\nFDPOLL=0\nFDNAME=" + name;
  return told("store " + name, sd_pid_notify_with_fds(0, 0, message.c_str(), &fd, 1));
}

void forget_descriptor(const std::string& name) {
  (void)sd_notify(0, ("FDSTOREREMOVE=1\nFDNAME=" + name).c_str());
}

Result<void> await_service_manager(Duration limit) {
  const auto limit_us = std::chrono::duration_cast<std::chrono::microseconds>(limit).count();
  return told("wait for the service manager", sd_notify_barrier(0, static_cast<std::uint64_t>(limit_us)));
}

}  // namespace sweetspot
