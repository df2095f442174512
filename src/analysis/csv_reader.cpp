// SPDX-License-Identifier: Apache-2.0
#include "analysis/csv_reader.hpp"

#include <algorithm>

namespace sweetspot {

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.substr(0, byte_order_mark.size()) == byte_order_mark) rest_.remove_prefix(byte_order_mark.size());
}

bool CsvReader::at_line_end() const {
  return rest_.empty() || rest_.front() == '\n' || rest_.substr(0, 2) == "\r\n" || rest_ == "\r";
}

void CsvReader::skip_line_end() {
  if (!rest_.empty() && rest_.front() == '\r') rest_.remove_prefix(1);
  if (rest_.empty()) return;
  rest_.remove_prefix(1);
  ++line_;
}

std::string_view CsvReader::plain_field() {
  std::size_t length = std::min(rest_.find_first_of(",\n"), rest_.size());
  const bool ends_line = length == rest_.size() || rest_[length] == '\n';
  if (ends_line && length > 0 && rest_[length - 1] == '\r') --length;
  const std::string_view field = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return field;
}

Result<std::string_view> CsvReader::quoted_field(std::size_t column) {
  const std::size_t begins = line_;
  std::string& field = unquoted_.emplace_back();
  rest_.remove_prefix(1);
  while (true) {
    const std::size_t quote = rest_.find('"');
    if (quote == std::string_view::npos)
      return failure(csv_place(begins, column, {}) + ": expected a closing quote, not the end of the file");
    field += rest_.substr(0, quote);
    line_ +=
        static_cast<std::size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
    rest_.remove_prefix(quote + 1);
    if (rest_.empty() || rest_.front() != '"') break;
    field += '"';
    rest_.remove_prefix(1);
  }
  if (!at_line_end() && rest_.front() != ',')
    return failure(csv_place(line_, column, {}) + ": expected a comma or the end of the line behind the closing quote");
  return std::string_view(field);
}

Result<std::vector<std::string_view>> CsvReader::next() {
  unquoted_.clear();
  while (!rest_.empty() && at_line_end()) skip_line_end();
  record_line_ = line_;
  std::vector<std::string_view> fields;
  if (rest_.empty()) return fields;
  while (true) {
    if (!rest_.empty() && rest_.front() == '"') {
      auto field = quoted_field(fields.size() + 1);
      if (!field) return failure(std::move(field.error()));
      fields.push_back(*field);
    } else {
      fields.push_back(plain_field());
    }
    if (rest_.empty() || rest_.front() != ',') break;
    rest_.remove_prefix(1);
  }
  skip_line_end();
  return fields;
}

std::string csv_place(std::size_t line, std::size_t column, std::string_view name) {
  std::string place = "line " + std::to_string(line) + ", column " + std::to_string(column);
  if (!name.empty()) place += " (" + std::string(name) + ")";
  return place;
}

}  // namespace sweetspot
