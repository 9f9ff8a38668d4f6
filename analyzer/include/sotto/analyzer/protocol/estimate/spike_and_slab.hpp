// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::analyzer {

/// What a study says about coefficients before any report.
struct SparsePrior {
  double variables = 8;  ///< s: how many are not zero, give or take a factor of eight
  double features = 0;   ///< d
  double norm = 1;       ///< of all of them together; one is about norm / sqrt(s)
};

/// What estimates and earlier evidence say of each coefficient.
struct Posterior {
  std::vector<double> weight;  ///< probability that it is not zero
  std::vector<double> mean;    ///< of the coefficient, the chance of zero included
  double slab = 0;             ///< variance of the ones that are not zero
};

/// The weight from which a coefficient is stated.
inline constexpr double k_matters = 0.5;

/// Two groups: zero with probability 1 - pi, else N(0, v). pi (around s/d) and v (around norm^2/s) are those that make the
/// estimates likeliest, on a grid of factors of two; pi is held near the study's guess by a weak prior. `evidence` is a log
/// likelihood ratio of "not zero" from elsewhere (votes), one for each coefficient.
/// A coefficient nobody asked about has an infinite variance: its weight is the prior's.
[[nodiscard]] Posterior spike_and_slab(std::span<const double> estimate, std::span<const double> variance,
                                       std::span<const double> evidence, const SparsePrior& prior);

/// One round of votes never settles a variable for good.
inline constexpr double k_evidence_low = -3, k_evidence_high = 6;

/// The log likelihood ratio of "a variable that matters" against "noise" for standardised scores of d features, most of them
/// noise. What matters scores around zeta, N(zeta, 1 + zeta^2/4); zeta and the share of such variables are the likeliest.
[[nodiscard]] std::vector<double> score_evidence(std::span<const double> score, const SparsePrior& prior);

}  // namespace sotto::analyzer
