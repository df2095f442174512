// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace sweetspot {

/// comm of the process a thread belongs to; "?" when it cannot be read (gone, or in a pid namespace we do not see).
[[nodiscard]] std::string process_name(pid_t thread);

}  // namespace sweetspot
