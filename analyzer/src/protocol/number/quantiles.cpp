// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "levels.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_bootstraps = 200;
constexpr double k_tail = 0.025;
constexpr double k_beyond = 1e9;  // a place beyond any range
constexpr double k_trust = 0.5;   // in a measured rank, the rest in the fit's
constexpr double k_smears = 3;    // a fit smears the truth more than it smears itself, which is smooth already
constexpr std::uint64_t k_bootstrap_seed = 0x626f6f74;

/// The values that cut off both tails, and room for what the fit smears.
Banded band(double value, double smeared, std::vector<double> drawn) {
  std::ranges::sort(drawn);
  const auto cut = static_cast<std::size_t>(k_tail * static_cast<double>(drawn.size()));
  const double room = k_smears * std::abs(smeared);
  return {value, std::min(value, drawn[cut]) - room, std::max(value, drawn[drawn.size() - 1 - cut]) + room};
}

/// The counts of another cohort, by Wilson and Hilferty's gamma law: skewed as few reports are, and 0 is not certain.
std::vector<double> redrawn(std::vector<double> counts, Xoshiro& random) {
  for (double& count : counts) {
    const double normal = std::sqrt(-2 * std::log1p(-random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
    const double shape = std::max(0.0, count) + 0.5;
    count = shape * std::pow(std::max(0.0, 1 - 1 / (9 * shape) + normal / (3 * std::sqrt(shape))), 3);
  }
  return counts;
}

}  // namespace

std::vector<double> places_to_cut(const WindowSpec& spec, std::vector<double> outcomes,
                                  const std::vector<double>& shares) {
  const std::vector<double> levels = LevelFit(spec, {}).choose({std::move(outcomes), {}});
  std::vector<double> out;
  for (const double share : shares) out.push_back(place_of(levels, share));
  return out;
}

/// The rank of a cut is an affine function of the reports at or below it.
std::vector<double> Distribution::ranks_of(const std::vector<double>& reports) const {
  const double hit = std::ldexp(static_cast<double>(cells_.spec.threshold), -32);
  const double other = (1 - hit) / (cells_.spec.categories - 1.0);
  const double all = std::accumulate(reports.begin(), reports.end(), 0.0);
  std::vector<double> out;
  double below = 0;
  for (std::size_t cut = 0; cut < cells_.cuts.size(); ++cut) {
    below += reports[cut];
    out.push_back((below / all - static_cast<double>(cut + 1) * other) / (hit - other));
  }
  return out;
}

Distribution::Distribution(const WindowSpec& spec, std::vector<double> outcomes, const CellRound& cells)
    : cells_(cells) {
  if (cells_.reports.empty()) cells_.cuts.clear();
  LevelFit fit(spec, cells_);
  const Evidence evidence{std::move(outcomes), cells_.reports};
  fitted_ = {fit.choose(evidence), ranks_of(evidence.reports)};
  const Evidence mean = fit.expected(fitted_.levels, evidence);
  smeared_ = {fit.fit(mean), ranks_of(mean.reports)};
  for (std::size_t b = 0; b < k_bootstraps; ++b) {
    Xoshiro random(k_bootstrap_seed, b);
    Evidence other;
    other.outcomes = redrawn(evidence.outcomes, random);
    other.reports = redrawn(evidence.reports, random);
    again_.push_back({fit.fit(other), ranks_of(other.reports)});
  }
}

std::vector<Banded> Distribution::bins(std::size_t count) const {
  std::vector<Banded> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double from = static_cast<double>(i) / static_cast<double>(count);
    const double until = static_cast<double>(i + 1) / static_cast<double>(count);
    const auto held = [&](const Fitted& of) { return share_below(of.levels, until) - share_below(of.levels, from); };
    std::vector<double> drawn;
    for (const Fitted& of : again_) drawn.push_back(held(of));
    Banded bin = band(held(fitted_), held(smeared_) - held(fitted_), std::move(drawn));
    bin.low = std::max(0.0, bin.low);
    out.push_back(bin);
  }
  return out;
}

Banded Distribution::quantile(double share, std::size_t cut) const {
  const auto wanted = [&](const Fitted& of) {
    return share + k_trust * (share_below(of.levels, cells_.cuts[cut]) - of.ranks[cut]);
  };
  // What a fit to another cohort cannot reach lies beyond the range, nobody knows how far.
  const auto reached = [&](const Fitted& of) {
    const double at = wanted(of);
    return at >= 1 ? k_beyond : at <= 0 ? -k_beyond : place_of(of.levels, at);
  };
  std::vector<double> drawn;
  for (const Fitted& of : again_) drawn.push_back(reached(of));
  const auto at = [&](const Fitted& of) { return place_of(of.levels, wanted(of)); };
  Banded out = band(at(fitted_), at(smeared_) - place_of(fitted_.levels, share), std::move(drawn));
  // The cut is a bound that was measured. Between it and the estimate lies a value that many devices share, which the
  // fit smears.
  out.low = std::min(out.low, cells_.cuts[cut]);
  out.high = std::max(out.high, cells_.cuts[cut]);
  return out;
}

}  // namespace sotto::analyzer
