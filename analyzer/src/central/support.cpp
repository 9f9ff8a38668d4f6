// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "private_sums.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"

namespace sotto::analyzer::central {

// The Gaussian noise has standard deviation z C in a coordinate, with C the clip and z^2 = 1/precision; the Gumbel
// noise of the exponential mechanism has pi/sqrt(6) times 2 D sqrt(k) / sqrt(4 precision), with D the sensitivity of a
// score, which is 1.28 Xinf r0 sqrt(k / precision), with Xinf the value bound and r0 the residual scale.
bool chooses_by_gaussian(const Problem& problem, std::uint32_t k) {
  return problem.bounds.row < 1.28 * problem.bounds.value * std::sqrt(k);
}

Result<PrecisionBudget> precision_budget(const FitWork& work) {
  if (!work.is_private()) return PrecisionBudget{};
  const bool is_gaussian =
      chooses_by_gaussian(work.problem(), work.settings.nonzeros) || work.settings.nonzeros >= work.columns();
  const auto made = is_gaussian ? work.gaussian_precision() : work.zcdp();
  if (!made) return made.error();
  return PrecisionBudget{is_gaussian ? made.value() : 2 * made.value(), is_gaussian};
}

std::uint64_t exponential_unit(double reach, double range) {
  constexpr double k_max = 0x1p62;
  return static_cast<std::uint64_t>(std::min(std::ceil(2 * reach / range), k_max));
}

std::vector<std::uint32_t> peel(const FitWork& work, std::vector<std::int64_t> scores, std::uint32_t k, double rho,
                                std::int64_t reach) {
  const double each = std::sqrt(8 * rho / k);
  const std::uint64_t unit = exponential_unit(static_cast<double>(reach), each);
  work.meter.add(k * bounded_range_curve(2 * static_cast<double>(reach) / static_cast<double>(unit)));
  std::vector<std::uint32_t> left(scores.size()), chosen;
  std::iota(left.begin(), left.end(), 0u);
  while (chosen.size() < k) {
    const std::size_t at = choose_exp(work.coins, scores, unit);
    chosen.push_back(left[at]);
    left[at] = left.back();
    scores[at] = scores.back();
    left.pop_back();
    scores.pop_back();
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

std::vector<std::uint32_t> choose_support(const FitWork& work, std::uint32_t k, double precision) {
  const Problem& problem = work.problem();
  const Adjacency adjacency = work.settings.adjacency;
  if (k >= work.columns()) {
    std::vector<std::uint32_t> all(work.columns());
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }
  const Weights zero(work.columns());
  if (precision > 0 && !chooses_by_gaussian(problem, k)) {
    std::vector<std::int64_t> sum(work.columns());
    add_clipped_coordinates(problem, work.sample.rows, zero, problem.residual_scale(), problem.bounds.value, sum);
    for (std::int64_t& v : sum) v = std::abs(v);
    return peel(work, std::move(sum), k, precision / 2,
                static_cast<std::int64_t>(reach(adjacency)) * k_coordinate_reach);
  }
  const double z = precision > 0 ? 1 / std::sqrt(precision) : 0;
  GradientMeans gradients(work.sample, work.coins, adjacency);
  if (z > 0) {
    const NoiseGrid grid = noise_grid(z, problem.clip(), adjacency);
    work.meter.add_gaussian(grid.z, 1, static_cast<double>(work.columns()), grid.log2_sigma);
  }
  return hard_threshold(gradients.mean(work.sample.rows, work.sample.count, zero, problem.clip(), z), k).support;
}

Weights widen(std::span<const double> on_support, std::span<const std::uint32_t> support, std::size_t columns) {
  Weights w(columns);
  w.support.assign(support.begin(), support.end());
  for (std::size_t i = 0; i < support.size(); ++i) w.at[support[i]] = on_support[i];
  return w;
}

}  // namespace sotto::analyzer::central
