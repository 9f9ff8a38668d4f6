// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The cross-validated Lasso on the rows of all users together, without privacy: the model that private fits are
/// compared with.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/solve/moments.hpp"

namespace sotto::analyzer {

/// The fit, with the validation error of every lambda.
struct PooledLasso {
  LinearModel model;            ///< fitted to all rows at `lambda`
  double lambda = 0;            ///< the one of `lambdas` with the smallest validation error
  std::vector<double> lambdas;  ///< falling, 100 of them down to lambda_max / 1000
  std::vector<double> validation_mse;
};

/// The Lasso with intercept on all rows. Lambda is chosen by cross-validation over `folds` groups of users, drawn by
/// the seed; the rows of one user are never on both sides.
/// Refuses   nothing: with fewer users than folds there are as many folds as users; with one user, or a target that
///           does not vary, the fit is the mean.
[[nodiscard]] PooledLasso pooled_lasso_cv(const StandardRows& rows, std::uint32_t folds = 5, std::uint64_t seed = 1);

}  // namespace sotto::analyzer
