// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "methods.hpp"
#include "private_sums.hpp"

// Gradient descent with a hard threshold (methods dp-iht and dp-sgd-ht), with noise or without.
namespace sotto::analyzer::central {
namespace {

constexpr std::uint32_t k_full_steps = 30, k_full_steps_max = 120, k_full_steps_independent = 10;
constexpr std::uint32_t k_sampled_steps = 100, k_sampled_steps_independent = 40;
constexpr double k_share = 0.1;

/// The largest eigenvalue of X'X / n, by power iteration.
double largest_curvature(const Sample& sample) {
  const Rows& x = sample.problem.x;
  std::vector<double> v(x.columns(), 1 / std::sqrt(static_cast<double>(x.columns())));
  double norm = 0;
  for (int i = 0; i < 8; ++i) {
    std::vector<double> next(v.size());
    for (const std::uint32_t row : sample.rows) {
      double m = 0;
      x.visit(row, [&](std::uint32_t j, float at) { m += v[j] * at; });
      x.visit(row, [&](std::uint32_t j, float at) { next[j] += m * at; });
    }
    norm = 0;
    for (const double at : next) norm += at * at;
    norm = std::sqrt(norm);
    for (double& at : next) at /= std::max(norm, 1e-300);
    v = std::move(next);
  }
  return norm / sample.count;
}

}  // namespace

void charge_descent(const Sample& sample, const DescentPlan& plan, const FitWork& work) {
  if (plan.z == 0) return;
  const Adjacency adjacency = work.settings.adjacency;
  const NoiseGrid grid = noise_grid(plan.z, sample.problem.clip(), adjacency);
  const auto draws = static_cast<double>(sample.problem.x.columns());
  if (plan.share >= 1) {
    work.meter.add_gaussian(grid.z, plan.steps, draws, grid.log2_sigma);
  } else {
    const double share = RowSampler(sample, plan.share, adjacency).share();
    work.meter.add(plan.steps * sampled_curve(share, grid.z, adjacency), plan.steps * draws);
  }
}

FitResult descend(const Sample& sample, const DescentPlan& plan, const FitWork& work, double pass_cost,
                  const Watch& watch) {
  const Problem& problem = sample.problem;
  const Adjacency adjacency = work.settings.adjacency;
  const double clip = problem.clip();
  const double eta = plan.step_size / (problem.curvature() * problem.bounds.row * problem.bounds.row);
  RowSampler sampler(sample, plan.share, adjacency);
  FitResult result;
  result.z = plan.z > 0 ? noise_grid(plan.z, clip, adjacency).z : 0;
  GradientMeans gradients(sample, work.coins, adjacency);
  Weights w(problem.x.columns());
  std::vector<double> total(problem.x.columns());
  std::uint32_t averaged = 0;
  for (std::uint32_t t = 0; t < plan.steps; ++t) {
    work.end_if_stopped();
    const std::vector<double> gradient =
        gradients.mean(sampler.draw(work.coins), sampler.share() * sample.count, w, clip, plan.z);
    w = hard_threshold(stepped(w, gradient, eta, problem.l2), plan.nonzeros);
    result.passes += sampler.share() * pass_cost;
    if (plan.is_averaged && t >= plan.steps / 2) {
      for (std::size_t j = 0; j < total.size(); ++j) total[j] += w.at[j];
      ++averaged;
    }
    if (watch) watch(result.passes, w);
  }
  if (averaged > 0) {
    for (double& at : total) at /= averaged;
    w = hard_threshold(std::move(total), plan.nonzeros);
  }
  result.w = std::move(w);
  result.steps = plan.steps;
  result.step_size = plan.step_size;
  return result;
}

Weights exact_iht(const Sample& sample, std::uint32_t nonzeros, std::uint32_t steps, double l2, const FitWork* work) {
  const Problem& problem = sample.problem;
  const double eta = 1 / (1.1 * problem.curvature() * largest_curvature(sample) + l2);
  Weights w(problem.x.columns());
  std::vector<double> gradient(w.at.size());
  for (std::uint32_t t = 0; t < steps; ++t) {
    std::fill(gradient.begin(), gradient.end(), 0);
    for (const std::uint32_t row : sample.rows) {
      const double r = residual(problem, dot(problem.x, row, w), problem.y[row]) / sample.count;
      problem.x.visit(row, [&](std::uint32_t j, float v) { gradient[j] += r * v; });
    }
    w = hard_threshold(stepped(w, gradient, eta, l2), nonzeros);
    if (work != nullptr) work->watch(t + 1, w);
  }
  return w;
}

Result<FitResult> fit_iht(const FitWork& work) {
  const Problem& problem = work.problem();
  if (!work.is_private()) {
    FitResult limit;
    limit.steps = work.steps(k_limit_steps);
    limit.passes = limit.steps;
    limit.w = exact_iht(work.sample, work.settings.nonzeros, limit.steps, problem.l2, &work);
    return limit;
  }
  DescentPlan plan;
  plan.steps = work.steps(problem.bounds.is_independent
                              ? k_full_steps_independent
                              : steps_rule(k_full_steps, work.strength(work.columns()), k_enough, k_full_steps_max));
  plan.nonzeros = work.settings.nonzeros;
  // A sequence of Gaussian releases costs as much as one release with less noise, for which the formula is exact.
  const auto precision = work.gaussian_precision();
  if (!precision) return precision.error();
  plan.z = std::sqrt(plan.steps / precision.value());
  plan.step_size = work.settings.step_size.value_or(step_rule(problem, work.sample.count, plan.steps,
                                                              plan.z * reach(work.settings.adjacency), plan.nonzeros,
                                                              wide_cap(problem)));
  charge_descent(work.sample, plan, work);
  return descend(work.sample, plan, work, 1, work.settings.watch);
}

Result<FitResult> fit_sgd(const FitWork& work) {
  const Problem& problem = work.problem();
  const Adjacency adjacency = work.settings.adjacency;
  DescentPlan plan;
  plan.share = k_share;
  plan.nonzeros = work.settings.nonzeros;
  plan.steps = work.steps(!work.is_private()              ? k_limit_steps
                          : problem.bounds.is_independent ? k_sampled_steps_independent
                                                          : k_sampled_steps);
  if (work.is_private()) {
    const double share = RowSampler(work.sample, k_share, adjacency).share();
    const auto z = work.multiplier([&](double at) { return plan.steps * sampled_curve(share, at, adjacency); });
    if (!z) return z.error();
    plan.z = z.value();
  }
  const double noise = plan.z * reach(adjacency) / plan.share;
  plan.step_size = work.settings.step_size.value_or(
      step_rule(problem, work.sample.count, plan.steps, noise, plan.nonzeros, wide_cap(problem)));
  charge_descent(work.sample, plan, work);
  return descend(work.sample, plan, work, 1, work.settings.watch);
}

}  // namespace sotto::analyzer::central
