// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <string>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/result.hpp"

// Reads the file of public scales that `sotto fit --scales` names.
namespace sotto::analyzer::central {

/// Offsets and deviations of a table's features by name, from a CSV file with the columns name, offset and deviation. A
/// feature that is always 0 or 1 (a level, or whether a value is missing) may be left out of the file; it is then not
/// scaled. `target` needs a line too, unless it is empty.
/// Refuses   what read_table refuses; data.missing_scale: a feature has no line; data.bad_scale: a deviation that is
///           not positive.
[[nodiscard]] Result<Scaling> read_scales(const std::filesystem::path& file, const Table& data,
                                          const std::string& target);

}  // namespace sotto::analyzer::central
