// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Non-private reference fits on the same train/test split, with which simulations on real data compare private models.

#include <cstdint>

#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer {

/// Settings of measure_baselines().
struct BaselineOptions {
  std::uint32_t omp_variables = 20;
  std::uint32_t folds = 5;          ///< folds of the pooled Lasso's cross-validation, by user
  std::uint32_t local_users = 200;  ///< number of training users, drawn by the seed, that fit a Lasso of their own
  std::uint64_t seed = 1;
};

/// What can be learned without privacy: mean squared error on the rows of held-out users, in units of the target's
/// variance.
struct Baselines {
  double mean_mse = 0;                ///< predicting the training mean
  double pooled_lasso_mse = 0;        ///< cross-validated Lasso on all training rows together
  double omp_mse = 0;                 ///< orthogonal matching pursuit with omp_variables features
  double changes_mse = 0;             ///< the same, of changes within users: each user's means are taken off
  double local_lasso_median_mse = 0;  ///< median over training users, each with the Lasso of its own rows alone

  /// Whether differences of level between users carry a signal that changes within users do not have.
  [[nodiscard]] bool levels_matter() const noexcept { return changes_mse > 1.1 * omp_mse; }
};

/// Fits on `train` and measures on `test`. The training rows are clipped; the target of the test rows is not
/// (k_no_clip), so that clipping is not rewarded. Both must hold at least one row.
[[nodiscard]] Baselines measure_baselines(const StandardRows& train, const StandardRows& test,
                                          const BaselineOptions& options = {});

}  // namespace sotto::analyzer
