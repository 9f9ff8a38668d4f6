// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Orthogonal matching pursuit, a greedy sparse regression: one of the non-private baselines.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/solve/moments.hpp"

namespace sotto::analyzer {

/// The fitted model.
struct PursuitFit {
  LinearModel model;
  std::vector<std::uint32_t> chosen;  ///< in the order of choice
};

/// Repeatedly selects the feature most correlated with the residual of y and refits least squares on all selected ones,
/// until `variables` are selected or nothing is left to explain.
[[nodiscard]] PursuitFit orthogonal_matching_pursuit(const Covariances& data, std::uint32_t variables);

}  // namespace sotto::analyzer
