// SPDX-License-Identifier: Apache-2.0
#include "sweetspot/client/socket_path.hpp"

#include <cstdlib>

namespace sweetspot {

std::string socket_path(const std::string& given) {
  if (!given.empty()) return given;
  const char* from_environment = std::getenv("SWEETSPOT_SOCKET");
  if (from_environment != nullptr && *from_environment != '\0') return from_environment;
  return default_socket_path;
}

}  // namespace sweetspot
