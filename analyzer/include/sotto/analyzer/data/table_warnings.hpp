// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What looks wrong with the columns of a table, in sentences for whoever holds it.

#include <string>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// Features that look like identifiers: by their name (id, index, row, ... or an end in _id), or because nearly all
/// their values are different whole numbers that rise or lie close together. One sentence each, with the fix.
/// Privacy   depends on the rows: not for anything that is released.
[[nodiscard]] std::vector<std::string> identifier_warnings(const Table& table);

/// Features and targets with values so far out that they are clipped (usual_range). One sentence each.
/// Privacy   as above.
[[nodiscard]] std::vector<std::string> outlier_notes(const Table& table, const std::string& target);

}  // namespace sotto::analyzer
