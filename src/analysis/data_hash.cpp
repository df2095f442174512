// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "sweetspot/analysis/curve_file.hpp"

namespace sweetspot {

// Fowler, Noll and Vo's hash, variant 1a with 64 bits; the constants are theirs.
std::string data_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  std::string digits(16, '0');
  for (std::size_t i = digits.size(); i-- > 0; hash /= 16) digits[i] = "0123456789abcdef"[hash % 16];
  return "fnv1a64:" + digits;
}

}  // namespace sweetspot
