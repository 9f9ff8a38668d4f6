// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "place_moments.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

constexpr double k_rounding = 1.0 / 6;  // mean of f (1 - f), the variance of rounding to a level at random

struct Channel {
  std::size_t outcomes, width;
  double inside, outside;  // probability of one outcome in the window, and of one beyond it

  explicit Channel(const WindowSpec& spec) : outcomes(spec.outcomes), width(spec.width) {
    const double hit = std::ldexp(static_cast<double>(spec.threshold), -32);
    inside = hit / static_cast<double>(width);
    outside = (1 - hit) / static_cast<double>(outcomes - width);
  }
};

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

}  // namespace sotto::analyzer
