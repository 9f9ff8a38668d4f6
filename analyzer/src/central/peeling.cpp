// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "private_sums.hpp"
#include "support.hpp"

// The method peeling: each step selects coordinates privately and adds noise to their gradient only.
namespace sotto::analyzer::central {
namespace {

constexpr double k_growth = 3.4, k_choosing_share = 0.7;
// The largest step where features are independent, in units of 1 / (curvature of a selected coordinate).
constexpr double k_independent_cap = 5.0 / 6;

std::uint32_t peeling_steps(const Problem& problem) { return problem.bounds.is_independent ? 4 : 8; }

}  // namespace

Result<FitResult> fit_peeling(const FitWork& work) {
  const Problem& problem = work.problem();
  const std::uint32_t k = work.settings.nonzeros;
  const std::uint32_t steps = work.steps(peeling_steps(problem));
  if (!work.is_private()) return fit_iht(work);  // without privacy, selecting the k largest is a hard threshold
  const auto rho = work.zcdp();
  if (!rho) return rho.error();

  // Later steps matter more: the last one gets k_growth times the first one's budget. Most of a step's budget goes to
  // selection.
  std::vector<double> rhos;
  for (std::uint32_t t = 0; t < steps; ++t) rhos.push_back(std::pow(k_growth, steps > 1 ? t / (steps - 1.0) : 0));
  const double weights = std::accumulate(rhos.begin(), rhos.end(), 0.0);
  for (double& one : rhos) one *= rho.value() / weights;
  const auto multiplier = [](double of_step) { return std::sqrt(1 / (2 * (1 - k_choosing_share) * of_step)); };
  const double z = multiplier(rho.value() / steps);
  const double share = static_cast<double>(k) / static_cast<double>(work.columns());
  const double cap = problem.bounds.is_independent ? k_independent_cap * k : narrow_cap(problem);
  FitResult result;
  result.steps = steps;
  // Only the k selected coordinates are used and carry noise, so the step rule is that of a problem with k columns.
  const double narrow = problem.bounds.row * std::sqrt(share);
  result.step_size = work.settings.step_size.value_or(step_rule(
      problem, work.sample.count, steps, z * reach(work.settings.adjacency), static_cast<double>(work.columns()), cap));
  const double eta = result.step_size / (problem.curvature() * narrow * narrow);
  // Scores are |w - eta g| in units of one grid step of eta g, so that w contributes a public integer.
  const double unit = eta * problem.residual_scale() * problem.bounds.value / static_cast<double>(k_coordinate_reach) /
                      work.sample.count;
  const auto score_reach = static_cast<std::int64_t>(reach(work.settings.adjacency)) * k_coordinate_reach;
  constexpr double k_steps_max = 0x1p61;
  if (const auto good = FitWork::check_scale(eta, "the length of a step"); !good) return good.error();
  if (const auto good = FitWork::check_scale(unit, "the unit of the scores"); !good) return good.error();

  Weights w(work.columns());
  std::vector<std::int64_t> scores(work.columns());
  for (std::uint32_t t = 0; t < steps; ++t) {
    std::fill(scores.begin(), scores.end(), 0);
    add_clipped_coordinates(problem, work.sample.rows, w, problem.residual_scale(), problem.bounds.value, scores);
    for (std::size_t j = 0; j < scores.size(); ++j) {
      // A coefficient that is not finite is public too, and may be replaced by any integer.
      const double kept = (1 - eta * problem.l2) * w.at[j] / unit;
      const double within = std::isfinite(kept) ? std::clamp(kept, -k_steps_max, k_steps_max) : 0;
      scores[j] = std::abs(static_cast<std::int64_t>(within) - scores[j]);
    }
    const std::vector<std::uint32_t> support = peel(work, scores, k, k_choosing_share * rhos[t], score_reach);
    const Problem part = restrict_to(work.sample, support);
    Sample rows = all_rows(part);
    rows.count = work.sample.count;
    Weights on_support(support.size());
    for (std::size_t i = 0; i < support.size(); ++i) {
      on_support.at[i] = w.at[support[i]];
      on_support.support.push_back(static_cast<std::uint32_t>(i));
    }
    // Only the gradient of the kept coefficients is released; the dropped ones are zero from here on.
    const double z_now = multiplier(rhos[t]);
    const NoiseGrid grid = noise_grid(z_now, part.clip(), work.settings.adjacency);
    work.meter.add_gaussian(grid.z, 1, k, grid.log2_sigma);
    result.z = grid.z;
    GradientMeans gradients(rows, work.coins, work.settings.adjacency);
    const std::vector<double> gradient = gradients.mean(rows.rows, rows.count, on_support, part.clip(), z_now);
    w = widen(stepped(on_support, gradient, eta, problem.l2), support, work.columns());
    result.passes += 1 + share;
    work.watch(result.passes, w);
  }
  result.w = std::move(w);
  return result;
}

}  // namespace sotto::analyzer::central
