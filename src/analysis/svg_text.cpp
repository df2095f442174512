// SPDX-License-Identifier: Apache-2.0
#include "analysis/svg_text.hpp"

#include <cmath>

#include "analysis/markup.hpp"
#include "sweetspot/core/number_text.hpp"

namespace sweetspot {
namespace {

std::string quoted(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

}  // namespace

std::string svg_number(double value) {
  return number_text(std::round(value * 10) / 10);
}

std::string svg_line(std::string_view classes, SvgPlace from, SvgPlace to) {
  return "<line" + quoted("class", classes) + quoted("x1", svg_number(from.x)) + quoted("y1", svg_number(from.y)) +
         quoted("x2", svg_number(to.x)) + quoted("y2", svg_number(to.y)) + "/>\n";
}

std::string svg_label(std::string_view classes, SvgPlace at, std::string_view text) {
  return "<text" + quoted("class", classes) + quoted("x", svg_number(at.x)) + quoted("y", svg_number(at.y)) + ">" +
         escaped(text) + "</text>\n";
}

std::string svg_colour(std::size_t place) {
  constexpr std::size_t colours = 6;
  return "c" + std::to_string(place % colours + 1);
}

double svg_text_width(std::string_view text) {
  constexpr double letter = 6.6;
  std::size_t letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return letter * static_cast<double>(letters);
}

std::string svg_start(std::string_view classes, std::string_view id, SvgPlace size) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + quoted("class", classes) + quoted("id", id) +
         quoted("viewBox", "0 0 " + svg_number(size.x) + " " + svg_number(size.y)) + " role=\"img\"" +
         quoted("aria-labelledby", std::string(id) + "-title") +
         quoted("aria-describedby", std::string(id) + "-description") + ">\n";
}

std::string svg_names(std::string_view id, std::string_view title, std::string_view description) {
  return "<title" + quoted("id", std::string(id) + "-title") + ">" + escaped(title) + "</title>\n<desc" +
         quoted("id", std::string(id) + "-description") + ">" + escaped(description) + "</desc>\n";
}

}  // namespace sweetspot
