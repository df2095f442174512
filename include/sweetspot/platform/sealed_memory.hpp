// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sweetspot/core/result.hpp"
#include "sweetspot/platform/unique_fd.hpp"

namespace sweetspot {

/// A text in memory behind a descriptor (memfd_create), sealed: whoever gets the descriptor can read it, and nobody can
/// change it any more. `name` is for people, in /proc/PID/fd.
[[nodiscard]] Result<UniqueFd> make_sealed_memory(const char* name, std::string_view text);

/// The whole text. Refuses what is not sealed against every change (so that it cannot change while it is read), and
/// more than `limit` bytes.
[[nodiscard]] Result<std::string> read_sealed_memory(int fd, std::size_t limit);

}  // namespace sweetspot
