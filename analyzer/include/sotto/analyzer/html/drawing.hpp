// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The two drawings of every chart of the HTML pages: one for a desk, one for a telephone. The page shows the one that
/// fits its window; a chart that is only made smaller cannot be read.

#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// The paper that a chart is drawn on.
struct Drawing {
  double width = 860;
  bool is_narrow = false;

  /// Opens the picture, with a title and a description for screen readers.
  [[nodiscard]] Html open(double height, std::string_view title, std::string_view description) const {
    return markup(
        "<svg class=\"{}\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" "
        "aria-label=\"{}\"><title>{}</title><desc>{}</desc>"
        "\n",
        is_narrow ? "phone" : "desk", width, height, title, title, description);
  }
};

/// Both drawings of a chart; draw(drawing) makes one of them.
template <class Draw>
[[nodiscard]] Html drawn_twice(Draw draw) {
  return "<div class=\"chart\">\n" + draw(Drawing{860, false}) + draw(Drawing{340, true}) + "</div>\n";
}

}  // namespace sotto::analyzer::html
