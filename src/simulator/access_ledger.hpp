// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweetspot/core/units.hpp"

namespace sweetspot {

/// What becomes of the process behind an access.
enum class Fate { lives, dies_before, dies_after };

struct KillOrder {
  std::uint64_t nth = 0;
  Fate fate = Fate::dies_before;
  std::string program;  ///< comm; empty: whoever it is
};

struct WriteRecord {
  std::string path;
  std::string value;
  int code = 0;
  std::string program;
};

/// Who accessed how often, and everything that was written below /sys.
class AccessLedger {
 public:
  /// Counts one access (open, read or write of an attribute) and says what it costs its process.
  [[nodiscard]] Fate count(const std::string& program);
  /// Counting starts anew. The order is carried out once.
  void order(KillOrder order);
  void restart();
  void cancel_order() { order_.reset(); }

  void wrote(WriteRecord record) { writes_.push_back(std::move(record)); }
  void forget_writes() { writes_.clear(); }

  /// One line per program: `COMM COUNT`.
  [[nodiscard]] std::string accesses_text() const;
  /// One line per write: `PATH VALUE ERRNO COMM`; a final newline of the value is left out, other odd bytes are \xNN.
  [[nodiscard]] std::string writes_text() const;

 private:
  std::map<std::string, std::uint64_t> counts_;
  std::uint64_t matching_ = 0;
  std::optional<KillOrder> order_;
  std::vector<WriteRecord> writes_;
};

}  // namespace sweetspot
