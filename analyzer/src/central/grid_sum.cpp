// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/grid_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/analyzer/central/exact_draws.hpp"

namespace sotto::analyzer::central {
namespace {

constexpr double k_longest_row = 0x1p30;
// Contributions are scaled to slightly less than the clip, so that rounding cannot exceed it: factors and products are
// floats (relative error 2^-24 each); norms are doubles, with an error of 2^-29 for a row of 2^24 values. A factor so
// small that it is a subnormal float belongs to a contribution far below the clip.
constexpr double k_margin = 1 - 0x1p-22;

/// Whether a row contributes. A row of zeros adds nothing. A row whose norm or residual is not finite cannot be clipped
/// by a comparison and contributes nothing; a contribution of zero is within the sensitivity.
bool counts(double residual, double norm) { return std::isfinite(residual) && std::isfinite(norm) && norm > 0; }

/// The factor as a float, clipped to the range of floats. A factor beyond that range belongs to a row so short that
/// clipping the factor loses nothing.
float shortened(double factor) {
  constexpr double k_max = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(factor, -k_max, k_max));
}

/// The largest float that is not above a positive number.
float not_above(double number) {
  const auto nearest = static_cast<float>(std::min<double>(number, std::numeric_limits<float>::max()));
  return nearest > number ? std::nextafter(nearest, 0.0f) : nearest;
}

/// Rounds toward zero and clips to k_longest_row, so that the conversion to an integer is defined for any number.
template <class Real>
std::int32_t whole_steps(Real number) {
  constexpr auto k_max = static_cast<Real>(k_longest_row);
  return static_cast<std::int32_t>(std::clamp(number, -k_max, k_max));
}

/// sum += factor * row, rounded to steps toward zero.
void add_row(const Rows& x, std::size_t row, float factor, std::span<std::int64_t> sum) {
  const std::span<const float> v = x.values(row);
  if (!x.is_sparse()) {
    for (std::size_t j = 0; j < v.size(); ++j) sum[j] += whole_steps(factor * v[j]);
    return;
  }
  const std::span<const std::uint32_t> at = x.places(row);
  for (std::size_t j = 0; j < v.size(); ++j) sum[at[j]] += whole_steps(factor * v[j]);
}

}  // namespace

NoiseGrid noise_grid(double z, double clip, Adjacency adjacency) {
  const double spread = z * reach(adjacency);  // standard deviation over the longest contribution of one row
  NoiseGrid grid;
  grid.log2_sigma = static_cast<unsigned>(
      std::clamp<double>(30 + std::floor(std::log2(spread)), GridGaussian::k_log2_min, GridGaussian::k_log2_max));
  const double sigma = std::ldexp(1.0, static_cast<int>(grid.log2_sigma));
  grid.longest_row = static_cast<std::int64_t>(std::min(std::floor(sigma / spread), k_longest_row));
  grid.step = clip / static_cast<double>(grid.longest_row);
  grid.z = sigma / (static_cast<double>(grid.longest_row) * reach(adjacency));
  return grid;
}

void add_clipped_gradients(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                           const Weights* from, double clip, const NoiseGrid& grid, std::span<std::int64_t> sum) {
  const double scale = static_cast<double>(grid.longest_row) / clip * k_margin;
  if (!std::isnormal(scale)) return;  // the clip is out of range: rows add nothing, which is private
  for (const std::uint32_t row : rows) {
    const double y = problem.y[row];
    double r = residual(problem, dot(problem.x, row, w), y);
    if (from != nullptr) r -= residual(problem, dot(problem.x, row, *from), y);
    if (!counts(r, problem.norms[row])) continue;
    const double length = std::abs(r) * problem.norms[row];
    if (length > clip) r = std::copysign(clip / problem.norms[row], r);
    add_row(problem.x, row, shortened(r * scale), sum);
  }
}

void add_clipped_coordinates(const Problem& problem, std::span<const std::uint32_t> rows, const Weights& w,
                             double residual_clip, double value_clip, std::span<std::int64_t> sum) {
  const double scale = static_cast<double>(k_coordinate_reach) / (residual_clip * value_clip) * k_margin;
  if (!std::isnormal(scale)) return;
  const float most = not_above(value_clip);
  for (const std::uint32_t row : rows) {
    const double r = residual(problem, dot(problem.x, row, w), problem.y[row]);
    if (!counts(r, problem.norms[row])) continue;
    const double factor = std::clamp(r, -residual_clip, residual_clip) * scale;
    problem.x.visit(row, [&](std::uint32_t j, float v) { sum[j] += whole_steps(factor * std::clamp(v, -most, most)); });
  }
}

}  // namespace sotto::analyzer::central
