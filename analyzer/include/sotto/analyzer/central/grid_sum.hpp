// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Integer sums of clipped row contributions, to which the private methods add noise. A row's contribution is clipped,
/// rounded to a grid toward zero, and only then added, so that the sensitivity of a sum is bounded exactly, in
/// integers, whatever a row holds and however doubles round.

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/analyzer/central/problem.hpp"

namespace sotto::analyzer::central {

/// The grid of a sum that gets Gaussian noise. The standard deviation of the noise is a power of two, in grid steps.
struct NoiseGrid {
  unsigned log2_sigma = 0;
  std::int64_t longest_row = 0;  ///< sensitivity: largest Euclidean norm of a row's contribution, in steps; up to 2^30
  double step = 0;               ///< the grid's step, in the units of the sum
  double z = 0;                  ///< the delivered noise multiplier, never below the requested one
};
/// The grid for multiplier z and contributions clipped to Euclidean norm `clip`.
[[nodiscard]] NoiseGrid noise_grid(double z, double clip, Adjacency adjacency);

/// Adds clip(r_i x_i) over `rows` to `sum`, in grid steps, with r_i the derivative of the loss at row i's margin
/// <x_i, w>. With `from`, r_i(w) - r_i(from) takes the place of r_i(w): the correction of a snapshot gradient.
void add_clipped_gradients(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                           const Weights* from, double clip, const NoiseGrid& grid, std::span<std::int64_t> sum);

/// The sensitivity of one coordinate of add_clipped_coordinates() under add_remove, in steps.
inline constexpr std::int64_t k_coordinate_reach = std::int64_t{1} << 30;
/// Adds r_i x_i over `rows` to `sum`, with r_i clipped to `residual_clip` and each value of x_i clipped separately to
/// `value_clip`, for selecting coordinates. A step is residual_clip * value_clip / k_coordinate_reach.
void add_clipped_coordinates(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                             double residual_clip, double value_clip, std::span<std::int64_t> sum);

}  // namespace sotto::analyzer::central
