// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "averaged_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "guess_range.hpp"

namespace sotto::analyzer {
namespace {

// Twice the guess costs a quarter of a nat of likelihood.
constexpr double k_step_price = 0.25;
constexpr double k_log_odds_max = 50;
// Grid points whose likelihood relative to the best is below this are ignored.
constexpr double k_share_min = 1e-6;
// Coefficients of about the same size: how far their centres are from zero, in deviations of all of them.
constexpr double k_alike = 0.9;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

/// The prior of a coefficient that is not zero: N(+-centre, spread), each sign with probability 1/2.
struct Slab {
  double centre = 0, spread = 1;

  /// Nonzero coefficients of variance v.
  static Slab normal(double v) { return {0, v}; }
  static Slab alike(double v) { return {k_alike * std::sqrt(v), (1 - k_alike * k_alike) * v}; }
  [[nodiscard]] double variance() const { return centre * centre + spread; }

  /// The log likelihood ratio of an estimate against zero.
  [[nodiscard]] double gain(double estimate, double noise) const {
    if (std::isinf(noise)) return 0;
    const double all = spread + noise, lean = std::abs(estimate) * centre / all;
    const double sides = lean + std::log1p(std::exp(-2 * lean)) - std::numbers::ln2;  // log cosh
    return -0.5 * std::log(all / noise) + 0.5 * estimate * estimate * (1 / noise - 1 / all) -
           0.5 * centre * centre / all + sides;
  }

  struct Moments {
    double mean = 0, square = 0;
  };
  /// Of a coefficient that is not zero, given its estimate.
  [[nodiscard]] Moments given(double estimate, double noise) const {
    if (std::isinf(noise)) return {0, variance()};
    const double all = spread + noise, near = spread * estimate / all, pulled = noise * centre / all;
    const double side = std::tanh(estimate * centre / all);
    return {near + pulled * side, spread * noise / all + near * near + pulled * pulled + 2 * near * pulled * side};
  }
};

struct GridPoint {
  Slab slab;
  double odds, likelihood;
};

std::vector<GridPoint> grid_of(const SparsePrior& prior, SlabShapes shapes) {
  std::vector<GridPoint> out;
  for (int i = k_slab_below; i <= k_slab_above; ++i) {
    const double v = std::ldexp(prior.norm * prior.norm / prior.variables, i);
    for (int h = -k_share_steps; h <= k_share_steps; ++h) {
      const double share = std::min(0.5, prior.variables / prior.features * std::ldexp(1.0, h));
      const double odds = std::log(share / (1 - share)), price = -k_step_price * (h * h + i * i);
      out.push_back({Slab::normal(v), odds, price});
      if (shapes == SlabShapes::normal_or_alike) out.push_back({Slab::alike(v), odds, price});
    }
  }
  return out;
}

}  // namespace

AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                     const SparsePrior& prior) {
  return averaged_posterior(estimate, variance, std::vector<double>(estimate.size()), prior, SlabShapes::normal);
}

AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                     std::span<const double> evidence, const SparsePrior& prior, SlabShapes shapes) {
  const std::size_t d = estimate.size();
  std::vector<GridPoint> grid = grid_of(prior, shapes);
  double best = -std::numeric_limits<double>::infinity();
  for (GridPoint& point : grid) {
    for (std::size_t j = 0; j < d; ++j) {
      if (std::isinf(variance[j])) continue;  // it says nothing about the prior
      const double odds = point.odds + evidence[j];
      point.likelihood += softplus(odds + point.slab.gain(estimate[j], variance[j])) - softplus(odds);
    }
    best = std::max(best, point.likelihood);
  }
  double total = 0;
  for (GridPoint& point : grid) total += point.likelihood = std::exp(point.likelihood - best);

  AveragedPosterior out{std::vector<double>(d), std::vector<double>(d), std::vector<double>(d), 0};
  for (const GridPoint& point : grid) {
    const double part = point.likelihood / total;
    if (part < k_share_min) continue;
    out.slab += part * point.slab.variance();
    for (std::size_t j = 0; j < d; ++j) {
      const double odds = point.odds + evidence[j] + point.slab.gain(estimate[j], variance[j]);
      const double weight = part / (1 + std::exp(-std::clamp(odds, -k_log_odds_max, k_log_odds_max)));
      const Slab::Moments moments = point.slab.given(estimate[j], variance[j]);
      out.weight[j] += weight;
      out.mean[j] += weight * moments.mean;
      out.variance[j] += weight * moments.square;
    }
  }
  for (std::size_t j = 0; j < d; ++j) {
    out.mean[j] /= out.weight[j];
    out.variance[j] = std::max(0.0, out.variance[j] / out.weight[j] - out.mean[j] * out.mean[j]);
  }
  return out;
}

}  // namespace sotto::analyzer
