// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Applies a model of `sotto fit` to rows of a CSV file, and measures it on a file that was declared public.

#include <filesystem>
#include <string>
#include <vector>

#include "sotto/analyzer/central/model.hpp"
#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/data/table_reader.hpp"

namespace sotto::analyzer::central {

/// Whether predictions can be computed from the columns that the model names.
/// Refuses   predict.rows_scaled: rows were divided by their length, which depends on all features.
[[nodiscard]] Result<Done> can_predict(const FittedModel& model, const std::string& what);

/// The columns that predictions need, each once.
[[nodiscard]] std::vector<std::string> columns_of(const FittedModel& model);

/// The expected target of every row, or the probability of the class 1. Features are transformed, clipped and, where
/// they are missing, filled in as in the fit.
/// Refuses   data.not_a_number.
[[nodiscard]] Result<std::vector<double>> predict(const FittedModel& model, const ColumnFields& fields,
                                                  const std::string& file);

/// The same of numbers in memory, of a model without levels.
/// Refuses   data.unknown_column; data.numbers_only: a feature is a level of a column of text.
[[nodiscard]] Result<std::vector<double>> predict(const FittedModel& model, const NumberFrame& frame);

/// Reads a file that is declared public and compares predictions with its targets.
/// Refuses   can_predict, read_fields; data.not_a_number, data.bad_label, data.no_rows.
[[nodiscard]] Result<FitTest> test_fit(const FittedModel& model, const std::filesystem::path& file);

}  // namespace sotto::analyzer::central
