// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/grid_sum.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/central/exact_draws.hpp"

namespace sotto::analyzer::central {
namespace {

constexpr double k_longest_row = 0x1p30;
// What is given away of the clip for rounding: a factor and its products are floats (2^-24 each), norms are doubles, of a row of 2^24
// values to 2^-29. A factor so small that floats lose its digits belongs to a contribution far below the clip.
constexpr double k_margin = 1 - 0x1p-22;

/// sum += factor * row, in whole steps toward zero. |factor * value| stays below 2^31 by the clipping.
void add_row(const Rows& x, std::size_t row, float factor, std::span<std::int64_t> sum) {
  const std::span<const float> v = x.values(row);
  if (!x.is_sparse()) {
    for (std::size_t j = 0; j < v.size(); ++j) sum[j] += static_cast<std::int32_t>(factor * v[j]);
    return;
  }
  const std::span<const std::uint32_t> at = x.places(row);
  for (std::size_t j = 0; j < v.size(); ++j) sum[at[j]] += static_cast<std::int32_t>(factor * v[j]);
}

}  // namespace

NoiseGrid noise_grid(double z, double clip, Adjacency adjacency) {
  const double spread = z * reach(adjacency);  // standard deviations over the length of one row
  NoiseGrid grid;
  grid.log2_sigma = static_cast<unsigned>(std::clamp(30 + static_cast<int>(std::floor(std::log2(spread))),
                                                     static_cast<int>(GridGaussian::k_least_log2),
                                                     static_cast<int>(GridGaussian::k_most_log2)));
  const double sigma = std::ldexp(1.0, static_cast<int>(grid.log2_sigma));
  grid.longest_row = static_cast<std::int64_t>(std::min(std::floor(sigma / spread), k_longest_row));
  grid.step = clip / static_cast<double>(grid.longest_row);
  grid.z = sigma / (static_cast<double>(grid.longest_row) * reach(adjacency));
  return grid;
}

void add_clipped_gradients(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                           const Weights* from, double clip, const NoiseGrid& grid, std::span<std::int64_t> sum) {
  const double scale = static_cast<double>(grid.longest_row) / clip * k_margin;
  for (const std::uint32_t row : rows) {
    const double y = problem.y[row];
    double r = residual(problem, dot(problem.x, row, w), y);
    if (from != nullptr) r -= residual(problem, dot(problem.x, row, *from), y);
    const double length = std::abs(r) * problem.norms[row];
    if (length > clip) r *= clip / length;
    add_row(problem.x, row, static_cast<float>(r * scale), sum);
  }
}

void add_clipped_coordinates(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                             double residual_clip, double value_clip, std::span<std::int64_t> sum) {
  const double scale = static_cast<double>(k_coordinate_reach) / (residual_clip * value_clip) * k_margin;
  const auto most = static_cast<float>(value_clip);
  for (const std::uint32_t row : rows) {
    const double r = residual(problem, dot(problem.x, row, w), problem.y[row]);
    const double factor = std::clamp(r, -residual_clip, residual_clip) * scale;
    problem.x.visit(row, [&](std::uint32_t j, float v) {
      sum[j] += static_cast<std::int32_t>(factor * std::clamp(v, -most, most));
    });
  }
}

}  // namespace sotto::analyzer::central
