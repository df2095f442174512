// SPDX-License-Identifier: Apache-2.0
#include "analysis/html_table.hpp"

#include "analysis/markup.hpp"

namespace sweetspot {
namespace {

std::string class_of(std::string_view first, std::string_view second) {
  if (first.empty() && second.empty()) return {};
  const std::string_view between = first.empty() || second.empty() ? "" : " ";
  return " class=\"" + std::string(first) + std::string(between) + std::string(second) + "\"";
}

}  // namespace

HtmlTable::HtmlTable(std::string_view caption, const std::vector<std::string>& head, std::size_t words)
    : caption_(escaped(caption)), words_(words) {
  for (std::size_t each = 0; each < head.size(); ++each)
    head_ += "<th scope=\"col\"" + class_of(each < words ? "" : "figure", "") + ">" + escaped(head[each]) + "</th>";
}

std::string HtmlTable::row(const std::vector<HtmlCell>& cells) const {
  std::string text = "<tr>";
  for (std::size_t each = 0; each < cells.size(); ++each) {
    const HtmlCell& cell = cells[each];
    const std::string_view element = each == 0 ? "th" : "td";
    text += "<" + std::string(element) + (each == 0 ? " scope=\"row\"" : "") +
            class_of(each < words_ ? "" : "figure", cell.classes) + ">" + escaped(cell.text);
    if (!cell.note.empty()) text += "<small>" + escaped(cell.note) + "</small>";
    text += "</" + std::string(element) + ">";
  }
  return text + "</tr>\n";
}

void HtmlTable::add(const std::vector<HtmlCell>& cells) {
  body_ += row(cells);
}

void HtmlTable::add_foot(const std::vector<HtmlCell>& cells) {
  foot_ += row(cells);
}

std::string HtmlTable::html() const {
  std::string text = "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + caption_ +
                     "\">\n<table>\n" + "<caption>" + caption_ + "</caption>\n<thead><tr>" + head_ +
                     "</tr></thead>\n<tbody>\n";
  text += body_;
  text += "</tbody>\n";
  if (!foot_.empty()) text += "<tfoot>\n" + foot_ + "</tfoot>\n";
  return text + "</table>\n</div>\n";
}

std::string html_paragraph(std::string_view classes, std::string_view text) {
  return "<p" + class_of(classes, "") + ">" + escaped(text) + "</p>\n";
}

std::string html_facts(const std::vector<HtmlFact>& facts) {
  std::string text = "<dl>\n";
  for (const HtmlFact& fact : facts)
    text += "<dt>" + escaped(fact.name) + "</dt><dd>" + escaped(fact.value) + "</dd>\n";
  return text + "</dl>\n";
}

std::string html_details(std::string_view summary, const std::string& content) {
  return "<details>\n<summary>" + escaped(summary) + "</summary>\n" + content + "</details>\n";
}

}  // namespace sweetspot
