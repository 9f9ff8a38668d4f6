// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>

namespace sotto {

/// A statistical test here fails with at most this probability when the code is right, all its comparisons together.
/// Seeds are fixed, so a test that passed once always passes; alpha says how unlucky the first run could have been.
inline constexpr double k_alpha = 1e-6;

/// z with P(|Z| > z) = alpha / comparisons for a normal Z.
[[nodiscard]] inline double two_sided_z(double comparisons) {
  return boost::math::quantile(boost::math::complement(boost::math::normal{}, k_alpha / (2 * comparisons)));
}

/// How far a sum of independent terms, |term - mean| <= most, may be from its mean: Bernstein's inequality, which needs
/// no normal approximation and so holds for rare categories too.
[[nodiscard]] inline double bernstein(double variance_of_sum, double most, double comparisons) {
  const double log_odds = std::log(2 * comparisons / k_alpha);
  const double third = log_odds * most / 3;
  return third + std::sqrt(third * third + 2 * variance_of_sum * log_odds);
}

/// Relative deviation that a variance measured from n terms shows by chance, at alpha: terms of kurtosis k have a
/// sample variance with relative standard deviation sqrt((k - 1)/n).
[[nodiscard]] inline double variance_noise(double kurtosis, double n, double comparisons) {
  return two_sided_z(comparisons) * std::sqrt((kurtosis - 1) / n);
}

/// Reports that make chance smaller than the wanted relative precision of a variance; at least the 40,000 of the plan.
[[nodiscard]] inline std::uint32_t reports_needed(double kurtosis, double precision, double comparisons) {
  const double z = two_sided_z(comparisons) / precision;
  return static_cast<std::uint32_t>(std::max(40000.0, std::ceil(z * z * (kurtosis - 1))));
}

/// The precision that variances are held to.
inline constexpr double k_variance_precision = 0.03;

}  // namespace sotto
