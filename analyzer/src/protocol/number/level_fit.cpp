// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "level_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "levels.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_fit_steps = 500;        // of expectation maximisation; the fit changes little beyond
constexpr double k_most_smoothing = 4;  // steps between two smoothings at one nat; fewer where the channel is finer
constexpr int k_least_smoothing = 64;   // times as many
constexpr double k_refuted = 10;        // twice the logarithm of the likelihood ratio, at one nat and below

void smooth(std::vector<double>& f) {
  double before = f.front();
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double here = f[i], after = i + 1 < f.size() ? f[i + 1] : here;
    f[i] = (before + 2 * here + after) / 4;
    before = here;
  }
}

}  // namespace

LevelFit::LevelFit(const WindowSpec& spec, const CellRound& cells)
    : width_(spec.width), levels_(spec.outcomes - spec.width + 1), nats_(static_cast<double>(spec.epsilon) / 1e9) {
  const double in_window = std::ldexp(static_cast<double>(spec.threshold), -32);
  inside_ = in_window / static_cast<double>(width_);
  outside_ = (1 - in_window) / static_cast<double>(spec.outcomes - width_);
  if (cells.reports.empty()) return;
  hit_ = std::ldexp(static_cast<double>(cells.spec.threshold), -32);
  other_ = (1 - hit_) / (cells.spec.categories - 1.0);
  for (std::size_t c = 0; c <= cells.cuts.size(); ++c) {
    const double from = c == 0 ? 0 : cells.cuts[c - 1], until = c < cells.cuts.size() ? cells.cuts[c] : 1;
    std::vector<double>& within = within_.emplace_back();
    for (std::size_t i = 0; i < levels_; ++i) {
      const LevelEnds ends = level_ends(i, levels_);
      const double held = std::min(until, ends.until) - std::max(from, ends.from);
      within.push_back(std::max(0.0, held) / (ends.until - ends.from));
    }
  }
}

void LevelFit::find_odds(const std::vector<double>& levels, std::vector<double>& below, Odds& odds) const {
  below[0] = 0;
  for (std::size_t i = 0; i < levels_; ++i) below[i + 1] = below[i] + levels[i];
  // Outcome j: those levels whose window holds it are j - width + 1 .. j.
  for (std::size_t j = 0; j < odds.outcomes.size(); ++j) {
    const std::size_t last = std::min(j + 1, levels_), first = j + 1 > width_ ? j + 1 - width_ : 0;
    odds.outcomes[j] = outside_ + (inside_ - outside_) * (below[last] - below[first]);
  }
  for (std::size_t c = 0; c < within_.size(); ++c)
    odds.reports[c] =
        other_ + (hit_ - other_) * std::inner_product(levels.begin(), levels.end(), within_[c].begin(), 0.0);
}

std::vector<double> LevelFit::fit(const Evidence& evidence, int every) const {
  std::vector<double> f(levels_, 1.0 / static_cast<double>(levels_)), below(levels_ + 1);
  std::vector<double> over(evidence.outcomes.size() + 1), factor(levels_);
  Odds odds{evidence.outcomes, std::vector<double>(within_.size())};
  for (int step = 1; step <= k_fit_steps; ++step) {
    find_odds(f, below, odds);
    over[0] = 0;
    for (std::size_t j = 0; j < odds.outcomes.size(); ++j)
      over[j + 1] = over[j] + evidence.outcomes[j] / odds.outcomes[j];
    double anyway = outside_ * over.back();  // what every level makes as likely
    for (std::size_t c = 0; c < within_.size(); ++c) anyway += other_ * evidence.reports[c] / odds.reports[c];
    for (std::size_t i = 0; i < levels_; ++i) factor[i] = anyway + (inside_ - outside_) * (over[i + width_] - over[i]);
    for (std::size_t c = 0; c < within_.size(); ++c) {
      const double weight = (hit_ - other_) * evidence.reports[c] / odds.reports[c];
      for (std::size_t i = 0; i < levels_; ++i) factor[i] += weight * within_[c][i];
    }
    double all = 0;
    for (std::size_t i = 0; i < levels_; ++i) all += f[i] *= factor[i];
    for (double& share : f) share /= all;
    if (step % every == 0) smooth(f);
  }
  return f;
}

double LevelFit::likelihood(const std::vector<double>& levels, const Evidence& evidence) const {
  std::vector<double> below(levels_ + 1);
  Odds odds{evidence.outcomes, std::vector<double>(within_.size())};
  find_odds(levels, below, odds);
  double sum = 0;
  for (std::size_t j = 0; j < odds.outcomes.size(); ++j) sum += evidence.outcomes[j] * std::log(odds.outcomes[j]);
  for (std::size_t c = 0; c < within_.size(); ++c) sum += evidence.reports[c] * std::log(odds.reports[c]);
  return sum;
}

std::vector<double> LevelFit::choose(const Evidence& evidence) {
  const int most = std::max(1, static_cast<int>(std::lround(k_most_smoothing / (nats_ * nats_))));
  std::vector<std::vector<double>> fits;
  std::vector<double> fitting;
  for (int times = 1; times <= k_least_smoothing; times *= 2) {
    fits.push_back(fit(evidence, most * times));
    fitting.push_back(likelihood(fits.back(), evidence));
  }
  const double best = std::ranges::max(fitting);
  std::size_t chosen = 0;
  // The finer the channel, the more levels it tells apart, and the more of its noise a rough fit explains.
  while (2 * (best - fitting[chosen]) > k_refuted * std::max(1.0, nats_)) ++chosen;
  every_ = most << chosen;
  return std::move(fits[chosen]);
}

std::vector<double> LevelFit::blur() const {
  const std::size_t middle = levels_ / 2;
  Evidence single{std::vector<double>(levels_ + width_ - 1, outside_), std::vector<double>(within_.size(), 0.0)};
  for (std::size_t j = middle; j < middle + width_; ++j) single.outcomes[j] = inside_;
  return fit(single);
}

}  // namespace sotto::analyzer
