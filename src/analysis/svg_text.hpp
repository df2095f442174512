// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sweetspot {

/// A place in a drawing, in its own units, from its top left.
struct SvgPlace {
  double x = 0;
  double y = 0;
};

/// A length or coordinate, to a tenth.
[[nodiscard]] std::string svg_number(double value);
[[nodiscard]] std::string svg_line(std::string_view classes, SvgPlace from, SvgPlace to);
/// Text, escaped. Its size and where it is anchored are its classes' business.
[[nodiscard]] std::string svg_label(std::string_view classes, SvgPlace at, std::string_view text);

/// The class that colours a series or policy by its place; the style sheet has six.
[[nodiscard]] std::string svg_colour(std::size_t place);

/// About how wide text of 12 units is: there is nobody to ask for the glyphs.
[[nodiscard]] double svg_text_width(std::string_view text);

/// Starts an element with role, title and description; `</svg>` ends it. The height is the drawing's own.
[[nodiscard]] std::string svg_start(std::string_view classes, std::string_view id, SvgPlace size);
[[nodiscard]] std::string svg_names(std::string_view id, std::string_view title, std::string_view description);

}  // namespace sweetspot
