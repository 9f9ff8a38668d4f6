// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto simulate --data`: a fleet from the rows of a CSV file.

#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer::request {

inline constexpr const char* k_two_features_fix = "a protocol chooses among features: give it two at least";

/// Reads the file of --data. With `task`, the rows are those of a protocol that collects once: each becomes a device.
/// Levels, means and ranges of columns are taken from the rows, which are only simulated devices; the notes say so.
/// Refuses   what read_table refuses, data.bad_levels; simulate.bad_features.
[[nodiscard]] Result<FleetSource> file_source(const SimulateOptions& options, std::optional<OnceTask> task,
                                              FileNotes& notes);

/// The terms that every study of a protocol that collects once has from the command line.
[[nodiscard]] Result<OnceTerms> once_terms(const SimulateOptions& options);

}  // namespace sotto::analyzer::request
