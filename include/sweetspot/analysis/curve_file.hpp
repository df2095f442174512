// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/analysis/curve.hpp"
#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Reads measured curves: CSV as RFC 4180 has it, one run per row, columns by the names of the first line in any order
/// (docs/evaluate.md lists them). `curve_id`, `gpu_freq_mhz` and `energy_j` must be there; columns that are not known
/// are left alone, since sweeps write more of them. Rows of one curve may stand anywhere; several at one clock are
/// repeats; a row whose `valid` is false is skipped. Curves come in the order of their first rows.
///
/// Takes any bytes; one pass, memory in proportion to the text. Errors name line, column and what was expected:
/// "line 7, column 9 (gpu_freq_mhz): expected a clock in MHz or MAXN, not 'fast'".
[[nodiscard]] Result<std::vector<Curve>> parse_curves(std::string_view text);

/// A mark of a file's bytes, by which a tree made from it can be told: "fnv1a64:" and 16 digits. Tells files apart; no
/// protection against forgers.
[[nodiscard]] std::string data_hash(std::string_view text);

}  // namespace sweetspot
