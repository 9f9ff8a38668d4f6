// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Posterior means of sparse coefficients from noisy estimates, under a spike-and-slab prior whose parameters are
/// fitted to the estimates (empirical Bayes).

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::analyzer {

/// What a study assumes about the coefficients before any report.
struct SparsePrior {
  double variables = 8;  ///< s: number of nonzero coefficients, known within a factor of eight
  double features = 0;   ///< d
  double norm = 1;       ///< l2 norm of all coefficients; each nonzero one is about norm / sqrt(s)
};

/// The posterior of each coefficient.
struct Posterior {
  std::vector<double> weight;  ///< probability that it is not zero
  std::vector<double> mean;    ///< posterior mean, with the probability of zero included
  double slab = 0;             ///< prior variance of the nonzero coefficients
};

/// A coefficient with at least this weight is part of the model.
inline constexpr double k_matters = 0.5;

/// The prior: a coefficient is zero with probability 1 - pi, else N(0, v). pi (around s/d) and v (around norm^2/s)
/// maximize the likelihood of the estimates on a grid of factors of two; a weak prior keeps pi near the study's guess.
/// `evidence` is a log likelihood ratio of "not zero" from another source (votes), one for each coefficient. A
/// coefficient that no device was asked about has an infinite variance; its weight is that of the prior.
[[nodiscard]] Posterior spike_and_slab(std::span<const double> estimate, std::span<const double> variance,
                                       std::span<const double> evidence, const SparsePrior& prior);

/// Bounds on the evidence, so that one round of votes alone cannot decide about a variable.
inline constexpr double k_evidence_low = -3, k_evidence_high = 6;

/// The log likelihood ratio of "a variable that matters" against "noise" for standardised scores of d features, most of
/// which are noise. The score of a variable that matters is N(zeta, 1 + zeta^2/4); zeta and the share of such variables
/// are fitted by maximum likelihood.
[[nodiscard]] std::vector<double> score_evidence(std::span<const double> score, const SparsePrior& prior);

}  // namespace sotto::analyzer
