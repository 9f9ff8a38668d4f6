// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the features of a model from the columns of a file: levels of words, and whether a value is missing.

#include <string>
#include <vector>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// One vector of readings for each row, in the order of the model's features. A word is 1 at its level, or at "other",
/// and 0 elsewhere.
/// Refuses   as analyzer::read_columns(); a missing number, for which the file of a model has no mean.
[[nodiscard]] analyzer::Result<std::vector<std::vector<double>>> read_features(const analyzer::Model& model,
                                                                               const std::vector<std::string>& features,
                                                                               const std::string& data);

}  // namespace sotto::cli
