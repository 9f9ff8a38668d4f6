// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Orthogonal matching pursuit: a sparse least-squares fit, one feature at a time.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/solve/moments.hpp"

namespace sotto::analyzer {

struct PursuitFit {
  LinearModel model;
  std::vector<std::uint32_t> chosen;  ///< in the order of choice
};

/// Orthogonal matching pursuit: the feature most correlated with what is left of y, least squares on those chosen so far, and
/// again, until there are `variables` or nothing is left to explain.
[[nodiscard]] PursuitFit orthogonal_matching_pursuit(const Covariances& data, std::uint32_t variables);

}  // namespace sotto::analyzer
