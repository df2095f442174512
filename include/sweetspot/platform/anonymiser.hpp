// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/platform/attributes.hpp"

namespace sweetspot {

/// Takes out of texts and paths what tells one board or one owner from another: MAC addresses, UUIDs, long hexadecimal
/// numbers (chip and machine ids), and the words it was given. The same secret always gets the same replacement, so
/// paths and links still fit together; what is replaced once is left alone the next time.
class Anonymiser {
 public:
  /// `secrets`: serial numbers, host names. Those of ten characters and more are taken out wherever they stand, shorter
  /// ones only as words of their own. Fewer than four characters, or one character repeated ("0000"), are no secret.
  explicit Anonymiser(std::vector<std::string> secrets = {});

  [[nodiscard]] std::string scrubbed(std::string_view text);
  /// How many different secrets were met so far.
  [[nodiscard]] std::size_t replaced() const { return replaced_; }

 private:
  [[nodiscard]] std::string replacement_of(std::string_view secret);
  [[nodiscard]] std::string without_patterns(std::string_view text);
  [[nodiscard]] std::string without_words(std::string text);

  std::vector<std::string> secrets_;                              // longest first
  std::map<std::string, std::string, std::less<>> replacements_;  // also of each replacement by itself
  std::size_t replaced_ = 0;
};

/// The serial numbers a board shows in its device tree and SoC files.
[[nodiscard]] std::vector<std::string> serial_numbers(const Attributes& board);
/// /etc/hostname, and the running kernel's name for itself where the board is the running system.
[[nodiscard]] std::vector<std::string> host_names(const FileAttributes& board);

}  // namespace sweetspot
