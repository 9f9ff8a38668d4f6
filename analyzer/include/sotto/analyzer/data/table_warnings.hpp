// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Warnings about columns that look wrong, in sentences for the holder of a table.

#include <string>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// Features that look like identifiers: by their name (id, index, row, ..., or a name that ends in _id), or because
/// nearly all their values are distinct integers that increase from row to row or have few gaps. One sentence each,
/// with the fix.
/// Privacy   computed from the rows without noise: must not be released.
[[nodiscard]] std::vector<std::string> identifier_warnings(const Table& table);

/// Features and targets with outliers, which are clipped (usual_range). One sentence each.
/// Privacy   as above.
[[nodiscard]] std::vector<std::string> outlier_notes(const Table& table, const std::string& target);

}  // namespace sotto::analyzer
