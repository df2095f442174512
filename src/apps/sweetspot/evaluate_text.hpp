// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sweetspot/wire/evaluation_json.hpp"

namespace sweetspot {

/// An evaluation as tables for people: curve by curve, then per platform, then the second stage.
[[nodiscard]] std::string evaluation_text(const Evaluation& evaluation);

}  // namespace sweetspot
