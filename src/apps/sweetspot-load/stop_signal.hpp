// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweetspot {

/// From here on SIGINT and SIGTERM are noted instead of ending the process; a second one ends it.
void note_stop_signals();
/// The signal noted; 0 while there is none.
[[nodiscard]] int stop_signal();

}  // namespace sweetspot
