// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model.hpp"

// The sections of a model's page, each HTML from <section> to </section>, or empty if the model has nothing to show
// there.
namespace sotto::analyzer::html {

/// The result in one or two sentences, for a reader who knows neither statistics nor privacy.
[[nodiscard]] Html plain_words(const Model& model);
[[nodiscard]] Html coefficients_section(const Model& model, const SimulationFacts& facts);
/// What the stage between devices found.
[[nodiscard]] Html between_section(const Model& model);
/// Numbers, distribution and series of an everyday question.
[[nodiscard]] Html everyday_section(const Model& model);
/// The most common items of an everyday question.
[[nodiscard]] Html items_section(const Model& model);
/// The cells of a cross-tab, and whether its rows and columns go along.
[[nodiscard]] Html cells_section(const Model& model);
[[nodiscard]] Html function_section(const Model& model, const SimulationFacts& facts);
/// What the numbers mean, and what they do not.
[[nodiscard]] Html reading_section(const Model& model);
/// Errors on held-out rows beside those of other models.
[[nodiscard]] Html held_out_section(const SimulationFacts& facts);
[[nodiscard]] Html votes_section(const Model& model);
[[nodiscard]] Html error_section(const Model& model);
[[nodiscard]] Html privacy_section(const Model& model);
[[nodiscard]] Html sent_section(const Model& model);
[[nodiscard]] Html assumed_section(const Model& model);
[[nodiscard]] Html reports_section(const Model& model);

/// A name from a study, escaped and with its own writing direction.
[[nodiscard]] Html name_html(std::string_view name);
/// A text, or an empty cell where the number that it shows is not known.
[[nodiscard]] Html if_known(double number, const std::string& text);

}  // namespace sotto::analyzer::html
