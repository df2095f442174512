// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sweetspot/core/result.hpp"

namespace sweetspot {

/// Splits a text into records of fields as RFC 4180 says: commas, quotes around what holds commas, quotes or line ends,
/// "" for a quote inside; lines end with LF or CRLF; a byte order mark in front is skipped, empty lines are too.
class CsvReader {
 public:
  /// `text` outlives the reader.
  explicit CsvReader(std::string_view text);

  /// The next record's fields, which hold until the next call. An empty list: the end of the text.
  [[nodiscard]] Result<std::vector<std::string_view>> next();
  /// The line, counted from 1, on which the record last read begins.
  [[nodiscard]] std::size_t line() const { return record_line_; }

 private:
  [[nodiscard]] bool at_line_end() const;
  void skip_line_end();
  [[nodiscard]] std::string_view plain_field();
  [[nodiscard]] Result<std::string_view> quoted_field(std::size_t column);

  std::string_view rest_;
  std::size_t line_ = 1;
  std::size_t record_line_ = 1;
  std::deque<std::string> unquoted_;  ///< fields of the record that are not as they stand in the text
};

/// "line 7, column 9 (gpu_freq_mhz)": a place in such a text, both counted from 1.
[[nodiscard]] std::string csv_place(std::size_t line, std::size_t column, std::string_view name);

}  // namespace sweetspot
