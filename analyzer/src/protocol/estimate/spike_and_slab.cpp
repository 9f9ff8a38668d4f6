// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/estimate/spike_and_slab.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "guess_range.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_no_likelihood = -std::numeric_limits<double>::infinity();
constexpr double k_ln2 = 0.6931471805599453;
// The log prior of the share: normal in its logarithm, with a deviation of a factor of 4.1 around the guess.
constexpr double k_share_price = 0.25 * k_ln2 * k_ln2;
// Scores that matter are 0.7 to 16 deviations; above that there is no doubt.
constexpr double k_zeta_low = 0.7, k_zeta_high = 16;
constexpr int k_zetas = 12, k_score_below = -4, k_score_above = 1;

double log_add(double a, double b) {
  const double high = std::max(a, b);
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

double share_at(const SparsePrior& prior, int step) {
  return std::min(0.5, prior.variables / prior.features * std::ldexp(1.0, step));
}

}  // namespace

Posterior spike_and_slab(std::span<const double> estimate, std::span<const double> variance,
                         std::span<const double> evidence, const SparsePrior& prior) {
  const std::size_t d = estimate.size();
  std::vector<double> gain(d), best_gain(d);  // log likelihood of slab over spike
  double best = k_no_likelihood, best_slab = 1, best_share = 0.5;
  const double guess = prior.norm * prior.norm / prior.variables;
  for (int i = k_slab_below; i <= k_slab_above; ++i) {
    const double v = std::ldexp(guess, i);
    for (std::size_t j = 0; j < d; ++j) {
      const double t = variance[j];
      gain[j] =
          std::isinf(t) ? 0.0 : -0.5 * std::log1p(v / t) + 0.5 * estimate[j] * estimate[j] * (1.0 / t - 1.0 / (v + t));
    }
    for (int h = -k_share_steps; h <= k_share_steps; ++h) {
      const double share = share_at(prior, h), odds = std::log(share / (1 - share));
      double likelihood = -k_share_price * h * h;
      for (std::size_t j = 0; j < d; ++j) {
        // log(p e^gain + 1 - p), p the prior probability with the evidence in it
        const double o = odds + evidence[j];
        likelihood += log_add(o + gain[j], 0.0) - log_add(o, 0.0);
      }
      if (likelihood > best) {
        best = likelihood;
        best_slab = v;
        best_share = odds;
        best_gain = gain;
      }
    }
  }
  Posterior out{std::vector<double>(d), std::vector<double>(d), best_slab};
  for (std::size_t j = 0; j < d; ++j) {
    out.weight[j] = 1.0 / (1.0 + std::exp(-std::clamp(best_share + evidence[j] + best_gain[j], -50.0, 50.0)));
    if (!std::isinf(variance[j])) out.mean[j] = out.weight[j] * estimate[j] * best_slab / (best_slab + variance[j]);
  }
  return out;
}

std::vector<double> score_evidence(std::span<const double> score, const SparsePrior& prior) {
  std::vector<double> out(score.size()), ratio(score.size());
  double best = k_no_likelihood;
  for (int i = 0; i < k_zetas; ++i) {
    const double zeta = k_zeta_low * std::pow(k_zeta_high / k_zeta_low, i / (k_zetas - 1.0));
    const double v = 1 + zeta * zeta / 4;
    for (std::size_t j = 0; j < score.size(); ++j) {
      const double z = std::max(score[j], 0.0);
      ratio[j] = -0.5 * std::log(v) - 0.5 * (z - zeta) * (z - zeta) / v + 0.5 * z * z;
    }
    for (int h = k_score_below; h <= k_score_above; ++h) {
      const double share = share_at(prior, h);
      double likelihood = -k_share_price * h * h;
      for (const double r : ratio) likelihood += log_add(std::log(share) + r, std::log1p(-share));
      if (likelihood <= best) continue;
      best = likelihood;
      for (std::size_t j = 0; j < score.size(); ++j)
        out[j] = std::clamp(ratio[j] + h * k_ln2, k_evidence_low, k_evidence_high);
    }
  }
  return out;
}

}  // namespace sotto::analyzer
