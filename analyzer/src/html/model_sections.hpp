// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/model/model.hpp"

// The sections of a model's page, each HTML from <section> to </section>, or empty if the model has nothing to show
// there.
namespace sotto::analyzer::html {

[[nodiscard]] Html coefficients_section(const Model& model);
/// `truth`: the true function at the points of the curve, where it is known.
[[nodiscard]] Html function_section(const Model& model, std::span<const double> truth);
[[nodiscard]] Html votes_section(const Model& model);
[[nodiscard]] Html error_section(const Model& model);
[[nodiscard]] Html privacy_section(const Model& model);
[[nodiscard]] Html sent_section(const Model& model);
[[nodiscard]] Html assumed_section(const Model& model);
[[nodiscard]] Html reports_section(const Model& model);

/// A name from a study, escaped and with its own writing direction.
[[nodiscard]] Html name_html(std::string_view name);
/// A container for content that may be wider than the window: it scrolls by itself, also with the keyboard.
[[nodiscard]] Html wide(std::string_view label, const Html& inner);
/// <table> with one <th> for each column; a column whose name begins with '#' is right-aligned, as numbers are.
[[nodiscard]] Html table_head(std::initializer_list<std::string_view> columns);

}  // namespace sotto::analyzer::html
