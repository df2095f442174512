// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sweetspot {

/// Text of one cell, not escaped yet.
struct HtmlCell {
  std::string text;
  std::string note = {};     ///< below it, smaller
  std::string classes = {};  ///< of the style sheet
};

/// A table for people and screen readers: caption, column and row headings with their scope; wide ones scroll by
/// themselves. Texts are escaped.
class HtmlTable {
 public:
  /// `words` columns hold words, the rest figures; the first names the row.
  HtmlTable(std::string_view caption, const std::vector<std::string>& head, std::size_t words);

  void add(const std::vector<HtmlCell>& cells);
  /// A row below all others.
  void add_foot(const std::vector<HtmlCell>& cells);
  [[nodiscard]] std::string html() const;

 private:
  [[nodiscard]] std::string row(const std::vector<HtmlCell>& cells) const;

  std::string caption_;
  std::string head_;
  std::string body_;
  std::string foot_;
  std::size_t words_;
};

/// `<p class="…">text</p>`, the text escaped.
[[nodiscard]] std::string html_paragraph(std::string_view classes, std::string_view text);
/// A list of names and values; both escaped.
struct HtmlFact {
  std::string name;
  std::string value;
};
[[nodiscard]] std::string html_facts(const std::vector<HtmlFact>& facts);
/// Content that is folded away; `content` is HTML.
[[nodiscard]] std::string html_details(std::string_view summary, const std::string& content);

}  // namespace sweetspot
