// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Fills in the missing values of a table whose rows are only simulated, where exact means may be used.

#include <string>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// Puts the mean of a column's other values where a value is missing (NaN); 0 where all are. Returns one sentence for
/// each such column.
/// Privacy   the means are exact: for simulations only. `sotto fit` has a rule of its own.
[[nodiscard]] std::vector<std::string> fill_missing(Table& table);

/// The same for a table whose missing values stay NaN, because devices put their own mean in their place: one sentence
/// for each column, and nothing is changed.
[[nodiscard]] std::vector<std::string> missing_notes(const Table& table);

}  // namespace sotto::analyzer
