// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "private_sums.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"
#include "support.hpp"

// The method frank-wolfe: private steps toward vertices of an l1 ball.
namespace sotto::analyzer::central {
namespace {

constexpr std::uint32_t k_steps = 20;

/// The radius of the l1 ball: the l1 norm of a model of typical size, guessed from public bounds.
double radius_rule(const Problem& problem, std::uint32_t k) {
  if (problem.loss == Loss::logistic) return 8 / problem.bounds.value;
  return 1.4 * problem.bounds.target * std::sqrt(k) / problem.bounds.value;
}

}  // namespace

// Talwar, Thakurta, Zhang 2015: every step moves toward the vertex of the ball with the smallest inner product with the
// gradient.
Result<FitResult> fit_frank_wolfe(const FitWork& work) {
  const Problem& problem = work.problem();
  const double radius = work.settings.l1_radius.value_or(radius_rule(problem, work.settings.nonzeros));
  FitResult result;
  result.steps = work.steps(!work.is_private()              ? k_limit_steps
                            : problem.bounds.is_independent ? std::max(work.settings.nonzeros, 4u)
                                                            : k_steps);
  std::uint64_t unit = 0;
  const double score_reach = reach(work.settings.adjacency) * static_cast<double>(k_coordinate_reach);
  if (work.is_private()) {
    const auto rho = work.zcdp();
    if (!rho) return rho.error();
    unit = exponential_unit(score_reach, std::sqrt(8 * rho.value() / result.steps));
    work.meter.add(result.steps * bounded_range_curve(2 * score_reach / static_cast<double>(unit)));
  }
  const std::size_t d = work.columns();
  Weights w(d);
  GradientMeans gradients(work.sample, work.coins, work.settings.adjacency);
  std::vector<std::int64_t> scores(2 * d);
  for (std::uint32_t t = 0; t < result.steps; ++t) {
    std::size_t vertex = 0;
    if (work.is_private()) {
      std::fill(scores.begin(), scores.end(), 0);
      add_clipped_coordinates(problem, work.sample.rows, w, 2 * problem.residual_scale(), problem.bounds.value,
                              std::span(scores).first(d));
      for (std::size_t j = 0; j < d; ++j) scores[d + j] = -scores[j];
      vertex = choose_exp(work.coins, scores, unit);
    } else {
      const std::vector<double> gradient = gradients.mean(work.sample.rows, work.sample.count, w, problem.clip(), 0);
      const auto at = std::max_element(gradient.begin(), gradient.end(),
                                       [](double a, double b) { return std::abs(a) < std::abs(b); });
      vertex = static_cast<std::size_t>(at - gradient.begin()) + (*at < 0 ? d : 0);
    }
    // The first d scores belong to coordinates with a large positive gradient, where the loss decreases toward the
    // negative vertex.
    const double move = 2.0 / (t + 2);
    for (double& v : w.at) v *= 1 - move;
    w.at[vertex % d] += move * (vertex < d ? -radius : radius);
    w.support.clear();
    for (std::size_t j = 0; j < d; ++j) {
      if (w.at[j] != 0) w.support.push_back(static_cast<std::uint32_t>(j));
    }
    result.passes += 1;
    work.watch(result.passes, w);
  }
  result.w = std::move(w);
  return result;
}

}  // namespace sotto::analyzer::central
