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
constexpr double k_trust = 0.5;     // in a measured rank, the rest in the fit's
constexpr double k_blurs = 2;       // a fit blurs the truth more than its like blurs the fit, which is smooth already
constexpr double k_edge_blurs = 6;  // the same at a sharp edge
constexpr std::uint64_t k_bootstrap_seed = 0x626f6f74;

/// The values that cut off both tails, and room on both sides.
Banded band(double value, double room, std::vector<double> drawn) {
  std::ranges::sort(drawn);
  const auto cut = static_cast<std::size_t>(k_tail * static_cast<double>(drawn.size()));
  return {value, std::min(value, drawn[cut]) - room, std::max(value, drawn[drawn.size() - 1 - cut]) + room};
}

/// Each level of the distribution as a fit blurs a single value.
std::vector<double> blurred(const std::vector<double>& levels, const std::vector<double>& blur) {
  std::vector<double> out(levels.size(), 0.0);
  const auto last = static_cast<std::ptrdiff_t>(levels.size()) - 1, middle = (last + 1) / 2;
  for (std::ptrdiff_t i = 0; i <= last; ++i) {
    for (std::ptrdiff_t k = 0; k <= last; ++k) {
      out[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i + k - middle, 0, last))] +=
          levels[static_cast<std::size_t>(i)] * blur[static_cast<std::size_t>(k)];
    }
  }
  return out;
}

/// The standard deviation of a blur, as a place.
double spread_of(const std::vector<double>& blur) {
  const std::size_t middle = blur.size() / 2;
  double square = 0;
  for (std::size_t i = 0; i < blur.size(); ++i)
    square += blur[i] * std::pow(static_cast<double>(i) - static_cast<double>(middle), 2);
  return std::sqrt(square) / static_cast<double>(blur.size() - 1);
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
  const std::vector<double> blur = fit.blur();
  blurred_ = blurred(fitted_.levels, blur);
  resolution_ = spread_of(blur);
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
    const auto held = [&](const std::vector<double>& f) { return share_below(f, until) - share_below(f, from); };
    std::vector<double> drawn;
    for (const Fitted& of : again_) drawn.push_back(held(of.levels));
    const double value = held(fitted_.levels);
    Banded bin = band(value, k_blurs * std::abs(held(blurred_) - value), std::move(drawn));
    bin.low = std::max(0.0, bin.low);
    out.push_back(bin);
  }
  return out;
}

Banded Distribution::quantile(double share, std::size_t cut) const {
  const auto at = [&](const Fitted& of) {
    return place_of(of.levels, share + k_trust * (share_below(of.levels, cells_.cuts[cut]) - of.ranks[cut]));
  };
  std::vector<double> drawn;
  for (const Fitted& of : again_) drawn.push_back(at(of));
  Banded out = band(at(fitted_), 0, std::move(drawn));
  // A fit blurs outward, most where a tail ends at once: the truth then lies further in than its resolution. What
  // another blur does says on which side, and too little of how far.
  double up = 0, down = 0;
  for (const double x : {out.low, out.value, out.high}) {
    const double shift = place_of(blurred_, share_below(fitted_.levels, x)) - x;
    up = std::max(up, shift);
    down = std::max(down, -shift);
  }
  out.low -= resolution_ + std::min(resolution_, k_edge_blurs * up);
  out.high += resolution_ + std::min(resolution_, k_edge_blurs * down);
  // The cut is a bound that was measured. Between it and the estimate lies a value that many devices share, which the
  // fit blurs.
  out.low = std::min(out.low, cells_.cuts[cut]);
  out.high = std::max(out.high, cells_.cuts[cut]);
  if (out.low <= 0) out.low = -k_beyond;
  if (out.high >= 1) out.high = k_beyond;
  return out;
}

}  // namespace sotto::analyzer
