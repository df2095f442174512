// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sweetspot {

/// One recorded write to a devfreq node and what the kernel showed afterwards.
struct RecordedAnswer {
  std::string governor;  ///< that the state was reset to before the first write of its series
  bool first = false;    ///< of its series
  std::string file;
  std::string value;
  std::string error;  ///< strerror text, "ok" for none
  std::uint64_t min = 0;
  std::uint64_t max = 0;
  std::uint64_t cur = 0;
};

/// tests/data/devfreq-answers/linux-6.1.0-57-arm64.txt, which says where it comes from.
[[nodiscard]] std::vector<RecordedAnswer> recorded_answers();

}  // namespace sweetspot
