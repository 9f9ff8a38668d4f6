// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The posterior of sparse coefficients, averaged over the unknown share and size of the nonzero ones.

#include <span>
#include <vector>

#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"

namespace sotto::analyzer {

/// The posterior of each coefficient, averaged over the parameters of the prior.
struct AveragedPosterior {
  std::vector<double> weight;          ///< probability that it is not zero
  std::vector<double> mean, variance;  ///< given that the coefficient is not zero
  double slab = 0;                     ///< prior variance of the nonzero coefficients

  /// The posterior mean, with the probability of zero included.
  [[nodiscard]] double expected(std::size_t j) const { return weight[j] * mean[j]; }
  /// The expected squared error of expected().
  [[nodiscard]] double loss(std::size_t j) const {
    return weight[j] * (variance[j] + (1 - weight[j]) * mean[j] * mean[j]);
  }
};

/// How the sizes of nonzero coefficients are spread. normal: N(0, v). normal_or_alike: either that, or all of about the
/// same size: +-0.9 sqrt(v) with equal probability and a variance of 0.19 v around it. Which of the two it is, the
/// estimates tell. Where sizes are alike, an estimate halfway to zero is then told from noise.
enum class SlabShapes { normal, normal_or_alike };

/// The prior: zero with probability 1 - pi, else of variance v. spike_and_slab() takes the pi and v of maximum
/// likelihood; here all points of a grid (factors of two around s/d and norm^2/s, for each shape) are weighted by
/// likelihood and a weak prior, so that the remaining uncertainty is not underestimated while little is known. An
/// infinite variance means that the coefficient was not asked about. `evidence` comes from elsewhere (votes): a log
/// likelihood ratio of "not zero" for each coefficient.
[[nodiscard]] AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                                   std::span<const double> evidence, const SparsePrior& prior,
                                                   SlabShapes shapes);

/// The same without evidence, for normal sizes.
[[nodiscard]] AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                                   const SparsePrior& prior);

}  // namespace sotto::analyzer
