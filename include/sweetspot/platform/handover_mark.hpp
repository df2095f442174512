// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// The file `handed-over` in the runtime folder: a daemon that is being restarted leaves it as its last act, to say
/// that the clock is meant to stay pinned until the next one is there. Good for one look, so that whatever fails
/// afterwards finds none and restores. Both calls expect the RuntimeLock and the boot id of the saved clock.
[[nodiscard]] Result<void> leave_handover_mark(const std::string& runtime_dir, const std::string& boot_id);

/// Takes the mark away and says whether it was there, whole and of this boot. An error when it is there and stays.
[[nodiscard]] Result<bool> take_handover_mark(const std::string& runtime_dir, const std::string& boot_id);

}  // namespace sweetspot
