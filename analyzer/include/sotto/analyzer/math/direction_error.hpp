// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Exact bias and variance of the direction randomizers (hemisphere, cross_polytope, sphere_code): what one report of a
/// unit vector is worth. Estimators decode with it, and proposals choose parameters by it.

#include "sotto/analyzer/math/order_statistics.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/sphere_code.hpp"

namespace sotto::analyzer {

/// The moments of one decoded report of a unit vector x. The estimate is z = (reported codeword) / scale, with E z = x
/// and E z_j^2 = along x_j^2 + across (1 - x_j^2) for each coordinate j. Derivations: analyzer/math, one page for each
/// randomizer.
struct DirectionError {
  double scale;   ///< m: mean of the codeword along x, in the codeword's own unit
  double along;   ///< E <z, x>^2
  double across;  ///< E <z, v>^2 for a unit v orthogonal to x
  std::uint32_t dimension;

  /// The mean squared error E |z - x|^2.
  [[nodiscard]] double mean_square() const noexcept { return along + (dimension - 1.0) * across - 1.0; }
  /// The variance of z_j for x_j^2 = square.
  [[nodiscard]] double variance(double square) const noexcept {
    return along * square + across * (1.0 - square) - square;
  }
};

/// The contrast p/k - (1-p)/(M-k), exact: how much likelier one of the k inside outcomes is than one of the M-k
/// outside, with p = T/2^32 the probability of the inside.
[[nodiscard]] double two_level_contrast(const TwoLevel& channel) noexcept;

/// hemisphere: the codeword is b u, with b = +-1 and u the public normal vector made of bytes, whose coordinates have
/// variance 1253.75.
[[nodiscard]] DirectionError direction_error(const HemisphereSpec& spec);
/// cross_polytope: the codeword is +-e_j rotated back, a unit vector. `top` holds the order statistics of D absolute
/// normals.
[[nodiscard]] DirectionError direction_error(const CrossPolytopeSpec& spec, TopSums& top);
[[nodiscard]] DirectionError direction_error(const CrossPolytopeSpec& spec);
/// sphere_code: the codeword has number i and is a unit vector. `top` holds the order statistics of M sphere scores.
[[nodiscard]] DirectionError direction_error(const SphereCodeSpec& spec, TopSums& top);
[[nodiscard]] DirectionError direction_error(const SphereCodeSpec& spec);

}  // namespace sotto::analyzer
