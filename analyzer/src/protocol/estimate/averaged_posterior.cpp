// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "averaged_posterior.hpp"

#include <algorithm>
#include <cmath>

#include "guess_range.hpp"

namespace sotto::analyzer {
namespace {

// Twice the guess costs a quarter of a nat of likelihood.
constexpr double k_step_price = 0.25;
constexpr double k_log_odds_max = 50;
// Grid points whose likelihood relative to the best is below this are ignored.
constexpr double k_share_min = 1e-6;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

struct GridPoint {
  double slab, odds, likelihood;
};

double gain_of(double estimate, double variance, double slab) {
  if (std::isinf(variance)) return 0;
  return -0.5 * std::log1p(slab / variance) + 0.5 * estimate * estimate * (1 / variance - 1 / (slab + variance));
}

}  // namespace

AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                     const SparsePrior& prior) {
  return averaged_posterior(estimate, variance, std::vector<double>(estimate.size()), prior);
}

AveragedPosterior averaged_posterior(std::span<const double> estimate, std::span<const double> variance,
                                     std::span<const double> evidence, const SparsePrior& prior) {
  const std::size_t d = estimate.size();
  std::vector<GridPoint> grid;
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> gain(d);
  for (int i = k_slab_below; i <= k_slab_above; ++i) {
    const double slab = std::ldexp(prior.norm * prior.norm / prior.variables, i);
    for (std::size_t j = 0; j < d; ++j) gain[j] = gain_of(estimate[j], variance[j], slab);
    for (int h = -k_share_steps; h <= k_share_steps; ++h) {
      const double share = std::min(0.5, prior.variables / prior.features * std::ldexp(1.0, h));
      GridPoint point{slab, std::log(share / (1 - share)), -k_step_price * (h * h + i * i)};
      for (std::size_t j = 0; j < d; ++j) {
        const double odds = point.odds + evidence[j];
        point.likelihood += softplus(odds + gain[j]) - softplus(odds);
      }
      best = std::max(best, point.likelihood);
      grid.push_back(point);
    }
  }
  double total = 0;
  for (GridPoint& point : grid) total += point.likelihood = std::exp(point.likelihood - best);

  AveragedPosterior out{std::vector<double>(d), std::vector<double>(d), std::vector<double>(d), 0};
  for (const GridPoint& point : grid) {
    const double part = point.likelihood / total;
    if (part < k_share_min) continue;
    out.slab += part * point.slab;
    for (std::size_t j = 0; j < d; ++j) {
      const double odds = point.odds + evidence[j] + gain_of(estimate[j], variance[j], point.slab);
      const double weight = part / (1 + std::exp(-std::clamp(odds, -k_log_odds_max, k_log_odds_max)));
      const bool is_known = !std::isinf(variance[j]);
      const double kept = is_known ? point.slab / (point.slab + variance[j]) : 0, mean = kept * estimate[j];
      out.weight[j] += weight;
      out.mean[j] += weight * mean;
      out.variance[j] += weight * (mean * mean + (is_known ? kept * variance[j] : point.slab));
    }
  }
  for (std::size_t j = 0; j < d; ++j) {
    out.mean[j] /= out.weight[j];
    out.variance[j] = std::max(0.0, out.variance[j] / out.weight[j] - out.mean[j] * out.mean[j]);
  }
  return out;
}

}  // namespace sotto::analyzer
