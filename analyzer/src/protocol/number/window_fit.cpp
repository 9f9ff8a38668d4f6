// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "window_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sotto/analyzer/math/xoshiro.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_fit_steps = 500;  // of expectation maximisation; the fit changes little beyond
constexpr double k_smooth_at_one_nat = 16;
constexpr double k_rounding = 1.0 / 6;  // mean of f (1 - f), the variance of rounding to a level at random
constexpr std::uint64_t k_bootstrap_seed = 0x626f6f74;

struct Channel {
  std::size_t outcomes, width, levels;
  double inside, outside;  // probability of one outcome in the window, and of one beyond it

  explicit Channel(const WindowSpec& spec)
      : outcomes(spec.outcomes), width(spec.width), levels(spec.outcomes - spec.width + 1) {
    const double hit = std::ldexp(static_cast<double>(spec.threshold), -32);
    inside = hit / static_cast<double>(width);
    outside = (1 - hit) / static_cast<double>(outcomes - width);
  }
};

void smooth(std::vector<double>& f) {
  double before = f.front();
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double here = f[i], after = i + 1 < f.size() ? f[i + 1] : here;
    f[i] = (before + 2 * here + after) / 4;
    before = here;
  }
}

}  // namespace

PlaceMoments place_moments(const WindowSpec& spec, std::span<const double> outcomes) {
  const Channel c(spec);
  const auto k = static_cast<double>(c.outcomes), w = static_cast<double>(c.width), half = (k - w) / 2;
  const double gain = (c.inside - c.outside) * w;
  double n = 0, sums[5] = {};  // of the powers of the outcome about the middle
  for (std::size_t j = 0; j < c.outcomes; ++j) {
    const double y = static_cast<double>(j) - (k - 1) / 2;
    double power = outcomes[j];
    n += power;
    for (double& sum : sums) {
      sum += power;
      power *= y;
    }
  }
  for (double& sum : sums) sum /= n;
  // E y = gain m and E y^2 = gain (m^2 + (w^2 - 1)/12) + outside K (K^2 - 1)/12 for a level m steps from the middle.
  const double first = sums[1] / gain, v1 = (sums[2] - sums[1] * sums[1]) / n / (gain * gain);
  const double second = (sums[2] - c.outside * k * (k * k - 1) / 12) / gain - (w * w - 1) / 12 - k_rounding;
  const double v2 = (sums[4] - sums[2] * sums[2]) / n / (gain * gain);
  const double v12 = (sums[3] - sums[1] * sums[2]) / n / (gain * gain);
  const double variance = second - first * first + v1;
  const double error = std::sqrt(std::max(0.0, v2 - 4 * first * v12 + 4 * first * first * v1));
  const double scale = 2 * half;  // steps from 0 to 1
  return {0.5 + first / scale, std::sqrt(v1) / scale, variance / (scale * scale), error / (scale * scale)};
}

std::vector<double> fit_levels(const WindowSpec& spec, std::span<const double> outcomes) {
  const Channel c(spec);
  const double nats = static_cast<double>(spec.epsilon) / 1e9;
  const int every = std::max(1, static_cast<int>(std::lround(k_smooth_at_one_nat / (nats * nats))));
  std::vector<double> f(c.levels, 1.0 / static_cast<double>(c.levels)), below(c.levels + 1), over(c.outcomes + 1);
  for (int step = 1; step <= k_fit_steps; ++step) {
    // The probability of outcome j: those levels whose window holds it are j - width + 1 .. j.
    below[0] = 0;
    for (std::size_t i = 0; i < c.levels; ++i) below[i + 1] = below[i] + f[i];
    over[0] = 0;
    double all = 0;
    for (std::size_t j = 0; j < c.outcomes; ++j) {
      const std::size_t last = std::min(j + 1, c.levels), first = j + 1 > c.width ? j + 1 - c.width : 0;
      const double odds = c.outside + (c.inside - c.outside) * (below[last] - below[first]);
      over[j + 1] = over[j] + outcomes[j] / odds;
    }
    for (std::size_t i = 0; i < c.levels; ++i) {
      f[i] *= c.outside * over[c.outcomes] + (c.inside - c.outside) * (over[i + c.width] - over[i]);
      all += f[i];
    }
    for (double& share : f) share /= all;
    if (step % every == 0) smooth(f);
  }
  const double all = std::accumulate(f.begin(), f.end(), 0.0);
  for (double& share : f) share /= all;
  return f;
}

double share_below(std::span<const double> levels, double place) {
  // Level i holds the places from (i - 1/2) to (i + 1/2) steps; the first and the last half of that.
  const auto last = static_cast<double>(levels.size() - 1);
  const double at = std::clamp(place, 0.0, 1.0) * last;
  double sum = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double from = std::max(0.0, static_cast<double>(i) - 0.5),
                 until = std::min(last, static_cast<double>(i) + 0.5);
    if (at <= from) break;
    sum += levels[i] * std::min(1.0, (at - from) / (until - from));
  }
  return sum;
}

double place_of(std::span<const double> levels, double share) {
  const auto last = static_cast<double>(levels.size() - 1);
  double left = std::clamp(share, 0.0, 1.0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double from = std::max(0.0, static_cast<double>(i) - 0.5),
                 until = std::min(last, static_cast<double>(i) + 0.5);
    if (left <= levels[i]) return (from + (levels[i] > 0 ? left / levels[i] : 0) * (until - from)) / last;
    left -= levels[i];
  }
  return 1;
}

std::vector<double> resampled(std::span<const double> outcomes, std::uint64_t number) {
  Xoshiro random(k_bootstrap_seed, number);
  std::vector<double> out(outcomes.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double normal = std::sqrt(-2 * std::log1p(-random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
    out[i] = std::max(0.0, outcomes[i] + std::sqrt(outcomes[i]) * normal);
  }
  return out;
}

}  // namespace sotto::analyzer
