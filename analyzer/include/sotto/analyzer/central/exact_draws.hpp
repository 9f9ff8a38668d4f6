// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/analyzer/central/coins.hpp"

namespace sotto::analyzer::central {

// Exact draws from laws with exponentials in them. A uniform number is known by its leading bits only; it is compared with a double
// and the double's error bound, and where that does not decide, with 100 digits and more of its bits. How long a draw takes depends
// on what is drawn.

/// True with probability e^(-a/b), b >= 1.
[[nodiscard]] bool bernoulli_exp(Coins& coins, std::uint64_t a, std::uint64_t b);

/// The exponential mechanism: index i with probability proportional to e^(score_i / unit), unit >= 1. At least one score; their
/// differences are below 2^63.
/// Privacy   when one row moves every score by at most D, the privacy loss lies in an interval of length 2 D / unit.
[[nodiscard]] std::size_t choose_exp(Coins& coins, std::span<const std::int64_t> scores, std::uint64_t unit);

/// Whole numbers with P(v) proportional to e^(-v^2 / (2 sigma^2)), sigma = 2^log2_sigma, cut at 13 sigma.
/// Privacy   exact up to the cut, which has less than 2^-120 of the mass of a draw.
/// Cost      about 15 ns a draw.
class GridGaussian {
 public:
  static constexpr unsigned k_least_log2 = 6, k_most_log2 = 46;
  /// Of the mass, cut off in one draw.
  static constexpr double k_cut = 0x1p-120;

  explicit GridGaussian(unsigned log2_sigma) : log2_sigma_(log2_sigma) {}
  [[nodiscard]] std::int64_t draw(Coins& coins) const;

 private:
  unsigned log2_sigma_;
};

/// The total variation between this law and a continuous Gaussian of the same sigma that was rounded to the grid, at most: what a
/// proof for the continuous one has to add to delta for each draw.
/// Estimate  1/(24 sigma^2) E|x^2 - 1| / 2 < 1/(48 sigma^2) to leading order, doubled, and the cut.
[[nodiscard]] double rounding_distance(unsigned log2_sigma);

}  // namespace sotto::analyzer::central
