// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sweetspot {

/// How a clock is held: `exact` sets both limits to it (as in the paper), `cap` only the upper one, so that an idle GPU
/// may run slower and draw less.
enum class PinStyle { exact, cap };

}  // namespace sweetspot
