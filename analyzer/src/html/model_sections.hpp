// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/model/model.hpp"

// The sections of a model's page, each HTML from <section> to </section>, or nothing where there is nothing to say.
namespace sotto::analyzer::html {

[[nodiscard]] std::string coefficients_section(const Model& model);
/// `truth`: the true function at the points of the curve, where it is known.
[[nodiscard]] std::string function_section(const Model& model, std::span<const double> truth);
[[nodiscard]] std::string votes_section(const Model& model);
[[nodiscard]] std::string error_section(const Model& model);
[[nodiscard]] std::string privacy_section(const Model& model);
[[nodiscard]] std::string sent_section(const Model& model);
[[nodiscard]] std::string assumed_section(const Model& model);
[[nodiscard]] std::string reports_section(const Model& model);

/// A name from a study: other people's letters in their own direction, none of them markup.
[[nodiscard]] std::string name_html(std::string_view name);
/// Around what may be wider than the window: it scrolls by itself, with the keyboard too.
[[nodiscard]] std::string wide(std::string_view label, std::string_view inner);
/// <table> with one <th> for each column; a name that begins with '#' stands at the right, as numbers do.
[[nodiscard]] std::string table_head(std::initializer_list<std::string_view> columns);

}  // namespace sotto::analyzer::html
