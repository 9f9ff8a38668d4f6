// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Output of a learned model: text for the terminal, model.json and report.html.

#include <filesystem>

#include "json.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// Prints a model: verdict, coefficients with intervals, sources of error, reports, privacy.
void print_model(const analyzer::Model& model);

/// Prints the coefficients alone.
void print_coefficients(const analyzer::Model& model);
/// The coefficients in units of measurement, with intervals that take the scales as exact; null where nobody stated
/// them.
[[nodiscard]] Json per_unit_json(const analyzer::Model& model);

/// The page of a directory is its model's: report.html beside a fit.json stays.
/// Refuses   model.page_in_use.
[[nodiscard]] analyzer::Result<analyzer::Done> page_is_free(const std::filesystem::path& directory);

/// model.json and report.html, with what a simulation knows beside it.
/// Refuses   model.page_in_use; io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::Done> write_model(const std::filesystem::path& directory,
                                                           const analyzer::Model& model,
                                                           const analyzer::html::SimulationFacts& facts = {});

}  // namespace sotto::cli
