// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sweetspot/core/result.hpp"
#include "sweetspot/core/units.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// The descriptors that the service manager passed to this process: those of socket units, and those that an earlier
/// process of the unit stored, by name.
struct PassedDescriptors {
  std::vector<UniqueFd> sockets;
  std::map<std::string, UniqueFd> stored;
};

/// What is stored has a name that begins like this. The rest comes from socket units.
inline constexpr const char* stored_name_prefix = "handover-";

/// Takes them over, close-on-exec, and forgets the environment that told of them: a second call finds none.
[[nodiscard]] PassedDescriptors take_passed_descriptors();

/// Gives the service manager (of $NOTIFY_SOCKET) a copy of `fd` to keep under `name` for the next process of the unit.
/// It keeps what has hung up, too: bytes may still be in it. That it was taken, the manager does not say: see
/// FileDescriptorStoreMax= before.
[[nodiscard]] Result<void> store_descriptor(const std::string& name, int fd);
/// The manager closes what it keeps under the name.
void forget_descriptor(const std::string& name);
/// Waits until the manager has dealt with everything told so far.
[[nodiscard]] Result<void> await_service_manager(Duration limit);

}  // namespace sweetspot
