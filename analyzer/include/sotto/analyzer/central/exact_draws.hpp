// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Exact samplers for the two mechanisms of `sotto fit`: the discrete Gaussian and the exponential mechanism. No
/// floating-point rounding enters the distribution.

#include <cstdint>
#include <span>

#include "sotto/analyzer/central/coins.hpp"

namespace sotto::analyzer::central {

// Exact draws from distributions with exponential weights. A uniform number is known only by its leading bits. It is
// compared with a double and its error bound and, where that does not decide, with more of its bits in 100-digit
// arithmetic. The running time depends on the value drawn.

/// True with probability e^(-a/b), b >= 1.
[[nodiscard]] bool bernoulli_exp(Coins& coins, std::uint64_t a, std::uint64_t b);

/// The exponential mechanism: returns index i with probability proportional to e^(score_i / unit), unit >= 1. Needs at
/// least one score; differences of scores are below 2^63.
/// Privacy   if one row changes every score by at most D, the privacy loss lies in an interval of length 2 D / unit.
[[nodiscard]] std::size_t choose_exp(Coins& coins, std::span<const std::int64_t> scores, std::uint64_t unit);

/// The discrete Gaussian: integers with P(v) proportional to e^(-v^2 / (2 sigma^2)), sigma = 2^log2_sigma, truncated at
/// 13 sigma.
/// Privacy   exact up to the truncation, which removes less than 2^-120 of the mass of a draw.
/// Cost      about 15 ns for each draw.
class GridGaussian {
 public:
  static constexpr unsigned k_log2_min = 6, k_log2_max = 46;
  static constexpr unsigned k_sigmas_max = 13;  ///< where it is truncated, in standard deviations
  /// The probability mass that truncation removes from one draw, at most.
  static constexpr double k_cut = 0x1p-120;

  explicit GridGaussian(unsigned log2_sigma) : log2_sigma_(log2_sigma) {}
  [[nodiscard]] std::int64_t draw(Coins& coins) const;

 private:
  unsigned log2_sigma_;
};

/// A bound on the total variation distance between this distribution and a continuous Gaussian of the same sigma
/// rounded to the grid: what a proof for the continuous Gaussian adds to delta for each draw.
/// Estimate  1/(24 sigma^2) E|x^2 - 1| / 2 < 1/(48 sigma^2) to leading order, doubled, plus the truncated mass.
[[nodiscard]] double rounding_distance(unsigned log2_sigma);

}  // namespace sotto::analyzer::central
