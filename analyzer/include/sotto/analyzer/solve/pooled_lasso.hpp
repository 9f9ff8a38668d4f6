// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The Lasso on the rows of all users together, its penalty chosen by cross-validation; without privacy.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/solve/moments.hpp"

namespace sotto::analyzer {

struct PooledLasso {
  LinearModel model;            ///< fitted to all rows at `lambda`
  double lambda = 0;            ///< of `lambdas`, the one with the smallest validation error
  std::vector<double> lambdas;  ///< falling, 100 of them down to lambda_max / 1000
  std::vector<double> validation_mse;
};

/// The Lasso with intercept on everybody's rows together, without privacy: what a private fit is compared with. Lambda by
/// cross-validation over `folds` groups of users, drawn by the seed: the rows of a user are never on both sides.
/// Refuses nothing: with fewer users than folds there are as many folds as users; with one user, or a target that does not vary,
/// the fit is the mean.
[[nodiscard]] PooledLasso pooled_lasso_cv(const StandardRows& rows, std::uint32_t folds = 5, std::uint64_t seed = 1);

}  // namespace sotto::analyzer
