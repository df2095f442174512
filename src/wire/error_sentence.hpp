// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "wire/json_text.hpp"

namespace sweetspot {

/// A varlink error as a sentence for people. An error this version does not know is told by its name and parameters.
[[nodiscard]] std::string error_sentence(const std::string& name, const Json& parameters);

}  // namespace sweetspot
