// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/window_law.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {

WindowLaw::WindowLaw(const WindowSpec& spec) noexcept {
  const double outcomes = spec.outcomes, width = spec.width;
  const double inside = std::ldexp(spec.threshold, -32);
  const double in = inside / width, out = (1 - inside) / (outcomes - width);  // probability of one outcome
  centre_ = (outcomes - 1) / 2;
  steps_ = outcomes - width;
  step_ = 2 / (steps_ * width * (in - out));
  slope_ = 2 * step_ / steps_;
  const double all_squares = outcomes * (outcomes * outcomes - 1) / 12;  // sum of (j - centre)^2 over all outcomes
  const double window_squares = width * (width * width - 1) / 12;        // the same over a window about its own centre
  floor_ = step_ * step_ * (out * all_squares + (in - out) * window_squares);
}

double WindowLaw::decode(std::uint32_t outcome) const noexcept { return step_ * (outcome - centre_); }

double WindowLaw::variance_between(double level, double part) const noexcept {
  const double position = level + part - steps_ / 2;
  const double s = 2 / steps_;
  return (slope_ - s * s) * position * position + slope_ * part * (1 - part) + floor_;
}

double WindowLaw::variance(double x) const noexcept {
  const double at = (std::clamp(x, -1.0, 1.0) + 1) / 2 * steps_;
  const double level = std::min(std::floor(at), steps_ - 1);
  return variance_between(level, at - level);
}

double WindowLaw::worst_variance() const noexcept {
  // Between two levels the variance is concave in the fractional part f (its second derivative is -2 s^2), so it has
  // one maximum.
  const double s2 = 4 / (steps_ * steps_);
  double worst = 0;
  for (double level = 0; level < steps_; ++level) {
    const double peak = ((slope_ - s2) * (2 * level - steps_) + slope_) / (2 * s2);
    worst = std::max(worst, variance_between(level, std::clamp(peak, 0.0, 1.0)));
  }
  return worst;
}

}  // namespace sotto::analyzer
