// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sweetspot {

/// One line of `sweetspot doctor`: what was looked at, how it stands, and what to do about it.
struct Finding {
  enum class Verdict { ok, skip, warn, fail };
  Verdict verdict = Verdict::ok;
  std::string check;   ///< for example "gpu node"
  std::string detail;  ///< what was found
  std::string fix;     ///< a command or an instruction; empty: nothing to do
  friend bool operator==(const Finding&, const Finding&) = default;
};
[[nodiscard]] std::string_view name_of(Finding::Verdict verdict);

/// {"findings": [{"verdict", "check", "detail", "fix"}], "exit_status": n}; `fix` is null where there is none.
[[nodiscard]] std::string findings_to_json(std::span<const Finding> findings, int exit_status);

}  // namespace sweetspot
