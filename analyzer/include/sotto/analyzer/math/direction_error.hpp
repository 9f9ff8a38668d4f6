// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/math/order_statistics.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/sphere_code.hpp"

namespace sotto::analyzer {

/// What one report of a unit vector x is worth. The estimate is z = (reported codeword) / scale; E z = x, and a
/// coordinate has E z_j^2 = along x_j^2 + across (1 - x_j^2). Derivations: analyzer/math, one page per stem.
struct DirectionError {
  double scale;   ///< m: the codeword's mean along x, in the codeword's own unit
  double along;   ///< E <z, x>^2
  double across;  ///< E <z, v>^2 for a unit v orthogonal to x
  std::uint32_t dimension;

  /// E |z - x|^2.
  [[nodiscard]] double mean_square() const noexcept { return along + (dimension - 1.0) * across - 1.0; }
  /// Variance of z_j for x_j^2 = square.
  [[nodiscard]] double variance(double square) const noexcept {
    return along * square + across * (1.0 - square) - square;
  }
};

/// p/k - (1-p)/(M-k) with p = T/2^32, exact: how much likelier an inside outcome is than one outside.
[[nodiscard]] double two_level_contrast(const TwoLevel& channel) noexcept;

/// Codeword b u, b = +-1, u the byte-made normal (its coordinates have variance 1253.75).
[[nodiscard]] DirectionError direction_error(const HemisphereSpec& spec);
/// Codeword +-e_j rotated back, a unit vector. `top` holds |normal| scores of D.
[[nodiscard]] DirectionError direction_error(const CrossPolytopeSpec& spec, TopSums& top);
[[nodiscard]] DirectionError direction_error(const CrossPolytopeSpec& spec);
/// Codeword number i, a unit vector. `top` holds sphere scores of M.
[[nodiscard]] DirectionError direction_error(const SphereCodeSpec& spec, TopSums& top);
[[nodiscard]] DirectionError direction_error(const SphereCodeSpec& spec);

}  // namespace sotto::analyzer
