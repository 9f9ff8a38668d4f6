// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <vector>

#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"

namespace sotto::analyzer {

/// What estimates say of each coefficient, averaged over how many there may be and how large.
struct AveragedPosterior {
  std::vector<double> weight;          ///< probability that it is not zero
  std::vector<double> mean, variance;  ///< of the coefficient if it is not zero
  double slab = 0;                     ///< variance of the ones that are not zero, before anything was asked

  /// The coefficient's mean, the chance of zero included.
  [[nodiscard]] double expected(std::size_t j) const { return weight[j] * mean[j]; }
  /// Its squared error, expected.
  [[nodiscard]] double loss(std::size_t j) const {
    return weight[j] * (variance[j] + (1 - weight[j]) * mean[j] * mean[j]);
  }
};

/// Zero with probability 1 - pi, else N(0, v). In place of the likeliest pi and v, as spike_and_slab() takes them, all of a grid
/// (factors of two around s/d and norm^2/s) count by their likelihood and a weak prior: while little is known, what is left to learn
/// must not be taken for small. An infinite variance: nobody asked.
[[nodiscard]] AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                                   const SparsePrior& prior);

}  // namespace sotto::analyzer
