// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sweetspot {

/// Texts of JSON values, for this program's own lists: its ids, sentences and numbers.
[[nodiscard]] std::string json_string(std::string_view text);
[[nodiscard]] std::string json_array(const std::vector<std::string>& values);
/// Members in the order given; the values are JSON already.
[[nodiscard]] std::string json_object(const std::vector<std::pair<std::string, std::string>>& members);
/// An array with one line per value.
[[nodiscard]] std::string json_document(const std::vector<std::string>& values);

}  // namespace sweetspot
