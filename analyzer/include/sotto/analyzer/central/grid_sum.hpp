// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/central/problem.hpp"

namespace sotto::analyzer::central {

// Sums over rows in whole numbers: a row's contribution is clipped, put on a grid toward zero, and only then added, so that one row
// moves the sum by no more than is stated, whatever it holds and however doubles round.

/// The grid of a sum that gets Gaussian noise. The noise has a power of two as standard deviation, in steps of the grid.
struct NoiseGrid {
  unsigned log2_sigma = 0;
  std::int64_t longest_row = 0;  ///< Euclidean norm of a row's contribution, in steps, at most; up to 2^30
  double step = 0;               ///< the grid's step, in the units of the sum
  double z = 0;                  ///< the noise multiplier that is delivered: never less than was asked for
};
[[nodiscard]] NoiseGrid noise_grid(double z, double clip, Adjacency adjacency);

/// One row's part of a gradient: how long r x is at most, and how the residual r follows from the row's margin(s).
/// sum = sum over `rows` of clip(r_i x_i), in steps. `from`: of r(w) - r(from) in place of r(w), the correction of a snapshot.
void add_clipped_gradients(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                           const Weights* from, double clip, const NoiseGrid& grid, std::span<std::int64_t> sum);

/// The largest change of one coordinate by one row more or less, in steps, of add_clipped_coordinates.
inline constexpr std::int64_t k_coordinate_reach = std::int64_t{1} << 30;
/// The same with r clipped to `residual_clip` and every value of x to `value_clip` by itself: for choosing coordinates. A step is
/// residual_clip * value_clip / k_coordinate_reach.
void add_clipped_coordinates(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                             double residual_clip, double value_clip, std::span<std::int64_t> sum);

}  // namespace sotto::analyzer::central
