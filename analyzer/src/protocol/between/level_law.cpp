// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "level_law.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

// The prior, and the grid on which the posterior is summed.
constexpr double k_mean_prior = 1, k_spread_prior = 0.5, k_log_spread_prior = 0.8;
constexpr double k_mean_max = 2.5, k_spread_min = 0.04, k_spread_max = 2;
constexpr int k_means = 101, k_spreads = 33;

using Shares = std::array<double, k_level_cells>;

Shares shares_of(double mean, double spread) {
  Shares out{};
  double below = 0;
  for (std::uint32_t i = 0; i < k_level_cells; ++i) {
    const double end = k_level_range * (2.0 * (i + 1) / k_level_cells - 1);
    const double next = i + 1 == k_level_cells ? 1 : normal_below((end - mean) / spread);
    out[i] = next - below;
    below = next;
  }
  return out;
}

}  // namespace

LevelLaw fit_levels(const CategoryCounts& counts) {
  const double n = std::max<double>(1, static_cast<double>(counts.used));
  Shares share{}, variance{};
  for (std::uint32_t i = 0; i < k_level_cells; ++i) {
    share[i] = counts.count[i] / n;
    const double held = std::clamp(share[i], 1.0 / k_level_cells, 0.5);
    variance[i] = std::pow(counts.standard_error[i] / n, 2) + held * (1 - held) / n;
  }
  const auto mean_at = [](int i) { return k_mean_max * (2.0 * i / (k_means - 1) - 1); };
  const double step = std::log(k_spread_max / k_spread_min) / (k_spreads - 1);
  std::vector<double> misfit;
  for (int s = 0; s < k_spreads; ++s) {
    const double log_spread = std::log(k_spread_min) + s * step;
    for (int i = 0; i < k_means; ++i) {
      const Shares fit = shares_of(mean_at(i), std::exp(log_spread));
      double sum = std::pow(mean_at(i) / k_mean_prior, 2) +
                   std::pow((log_spread - std::log(k_spread_prior)) / k_log_spread_prior, 2);
      for (std::uint32_t c = 0; c < k_level_cells; ++c) sum += std::pow(share[c] - fit[c], 2) / variance[c];
      misfit.push_back(sum / 2);
    }
  }
  const double least = std::ranges::min(misfit);
  double all = 0, mean = 0, square = 0, spread = 0, spread_square = 0;
  for (int s = 0; s < k_spreads; ++s) {
    const double log_spread = std::log(k_spread_min) + s * step;
    for (int i = 0; i < k_means; ++i) {
      const double weight =
                       std::exp(least - misfit[static_cast<std::size_t>(s) * k_means + static_cast<std::size_t>(i)]),
                   m = mean_at(i);
      all += weight;
      mean += weight * m;
      square += weight * m * m;
      spread += weight * log_spread;
      spread_square += weight * log_spread * log_spread;
    }
  }
  mean /= all;
  spread /= all;
  // No finer than the grid.
  const double mean_step = 2 * k_mean_max / (k_means - 1);
  LevelLaw out;
  out.mean = {mean, std::sqrt(std::max(square / all - mean * mean, mean_step * mean_step / 4)), counts.used};
  out.log_spread = {spread, std::sqrt(std::max(spread_square / all - spread * spread, step * step / 4)), counts.used};
  return out;
}

}  // namespace sotto::analyzer
