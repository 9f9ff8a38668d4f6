// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer {

struct BaselineOptions {
  std::uint32_t omp_variables = 20;
  std::uint32_t folds = 5;          ///< of the pooled Lasso's cross-validation, by user
  std::uint32_t local_users = 200;  ///< at most so many training users fit a Lasso of their own, drawn by the seed
  std::uint64_t seed = 1;
};

/// What can be learned without privacy: mean squared error on the rows of held-out users, in the target's standard units.
struct Baselines {
  double mean_mse = 0;                ///< predicting the training mean
  double pooled_lasso_mse = 0;        ///< cross-validated Lasso on all training rows together
  double omp_mse = 0;                 ///< orthogonal matching pursuit with omp_variables features
  double local_lasso_median_mse = 0;  ///< median over training users, each with the Lasso of its own rows alone
};

/// Train with clipped rows, test with k_no_clip for the target, so that clipping is not rewarded. Both hold a row
/// at least.
[[nodiscard]] Baselines measure_baselines(const StandardRows& train, const StandardRows& test,
                                          const BaselineOptions& options = {});

}  // namespace sotto::analyzer
