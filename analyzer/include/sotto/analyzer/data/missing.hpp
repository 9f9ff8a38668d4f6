// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Fills in the missing values of a table for simulations, where exact means of columns may be used.

#include <string>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// Replaces each missing value (NaN) by the mean of the column's other values, or by 0 if all of them are missing.
/// Returns one sentence for each column with missing values.
/// Privacy   the means are exact: for simulations only. `sotto fit` treats missing values differently
///           (central/prepare.hpp).
[[nodiscard]] std::vector<std::string> fill_missing(Table& table);

/// Returns such sentences for a table whose missing values stay NaN, because each device replaces them by its own mean.
/// The table is not changed.
[[nodiscard]] std::vector<std::string> missing_notes(const Table& table);

}  // namespace sotto::analyzer
