// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sweetspot {

/// Columns of a terminal, as far as one per character is right: what continues one in UTF-8 takes no place.
[[nodiscard]] std::size_t width_of(const std::string& text);

/// A table for people: columns as wide as their widest cell, the first ones to the left, figures to the right.
class TextTable {
 public:
  /// `left` columns are words; the rest are figures.
  TextTable(std::vector<std::string> head, std::size_t left) : left_(left) { rows_.push_back(std::move(head)); }

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// One line per row, the head first, without blanks at the ends.
  [[nodiscard]] std::string text() const;

 private:
  std::size_t left_;
  std::vector<std::vector<std::string>> rows_;
};

/// A share of 1 with one decimal, "24.9 %" or "-0.3 %"; "-" where there is none.
[[nodiscard]] std::string share_text(const std::optional<double>& share);

}  // namespace sweetspot
