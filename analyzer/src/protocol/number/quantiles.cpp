// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sotto/analyzer/math/xoshiro.hpp"
#include "window_fit.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_bootstraps = 200;
constexpr double k_tail = 0.025;
constexpr double k_beyond = 1e9;  // a place beyond any range
constexpr std::uint64_t k_rank_seed = 0x72616e6b;

/// The values that cut off both tails.
Banded band(double value, std::vector<double> drawn) {
  std::ranges::sort(drawn);
  const auto cut = static_cast<std::size_t>(k_tail * static_cast<double>(drawn.size()));
  return {value, std::min(value, drawn[cut]), std::max(value, drawn[drawn.size() - 1 - cut])};
}

}  // namespace

Distribution::Distribution(const WindowSpec& spec, std::span<const double> outcomes)
    : levels_(fit_levels(spec, outcomes)) {
  for (std::size_t b = 0; b < k_bootstraps; ++b) again_.push_back(fit_levels(spec, resampled(outcomes, b)));
}

double Distribution::place(double share) const { return place_of(levels_, share); }

std::vector<Banded> Distribution::bins(std::size_t count) const {
  std::vector<Banded> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double from = static_cast<double>(i) / static_cast<double>(count);
    const double until = static_cast<double>(i + 1) / static_cast<double>(count);
    std::vector<double> drawn;
    for (const std::vector<double>& fit : again_) drawn.push_back(share_below(fit, until) - share_below(fit, from));
    out.push_back(band(share_below(levels_, until) - share_below(levels_, from), std::move(drawn)));
  }
  return out;
}

Banded Distribution::corrected(double share, const CellRound& cells, std::size_t cut) const {
  // The rank of the cut is an affine function of the reports at or below it, which are binomial.
  const double all = std::accumulate(cells.reports.begin(), cells.reports.end(), 0.0);
  const double below =
      std::accumulate(cells.reports.begin(), cells.reports.begin() + static_cast<std::ptrdiff_t>(cut) + 1, 0.0) / all;
  const double hit = std::ldexp(static_cast<double>(cells.spec.threshold), -32);
  const double other = (1 - hit) / (cells.spec.categories - 1.0), slope = hit - other;
  const double rank = (below - static_cast<double>(cut + 1) * other) / slope;
  // Wilson's width: few reports beyond the cut do not make it small.
  const double error = std::sqrt(std::max(0.0, below * (1 - below)) / all + 1 / (all * all)) / slope;
  const auto wanted = [&](const std::vector<double>& fit, double measured) {
    return share + share_below(fit, cells.cuts[cut]) - measured;
  };
  // What the fit cannot reach lies beyond the range, nobody knows how far.
  const auto reached = [&](const std::vector<double>& fit, double measured) {
    const double at = wanted(fit, measured);
    return at >= 1 ? k_beyond : at <= 0 ? -k_beyond : place_of(fit, at);
  };
  std::vector<double> drawn;
  Xoshiro random(k_rank_seed, cut);
  for (const std::vector<double>& fit : again_) {
    const double normal = std::sqrt(-2 * std::log1p(-random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
    drawn.push_back(reached(fit, rank + error * normal));
  }
  // The cut is a bound that was measured. Between it and the estimate lies a value that many devices share, which the
  // fit smears.
  Banded out = band(place_of(levels_, wanted(levels_, rank)), std::move(drawn));
  out.low = std::min(out.low, cells.cuts[cut]);
  out.high = std::max(out.high, cells.cuts[cut]);
  return out;
}

}  // namespace sotto::analyzer
