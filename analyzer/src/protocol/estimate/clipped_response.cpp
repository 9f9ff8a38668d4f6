// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "clipped_response.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

// Without noise the clipped response has corners, where its derivative jumps.
constexpr double k_noise_min = 1e-3;  // relative to the bound

double phi(double t) { return std::exp(-0.5 * t * t) / std::sqrt(2 * std::numbers::pi); }

}  // namespace

ClippedResponse::ClippedResponse(const RegressionTerms& terms, double bound, double noise)
    : bound_(bound),
      noise_(std::max(noise, k_noise_min * bound)),
      link_(terms.link),
      zero_(terms.link_zero),
      unit_(terms.link_unit) {}

ResponseAt ClippedResponse::at(double u) const noexcept {
  if (link_ == TargetLink::logistic) {
    const double size = std::min(bound_, 1 / unit_), yes = link_value(link_, u);
    return {size * (2 * yes - 1), 2 * size * link_slope(link_, u)};
  }
  double steepness = 1;
  if (link_ == TargetLink::cosine) {
    steepness = link_slope(link_, u) / unit_;
    u = (link_value(link_, u) - zero_) / unit_;
  }
  const double high = (bound_ - u) / noise_, low = (-bound_ - u) / noise_;
  const double p_high = normal_below(high), p_low = normal_below(low), inside = p_high - p_low;
  const double value = bound_ * (1 - p_high - p_low) + u * inside - noise_ * (phi(high) - phi(low));
  return {value, steepness * inside};
}

ClippedResponse::Line ClippedResponse::line(double deviation) const {
  // Midpoint rule with 400 equal steps over five deviations: the response is smooth on this scale, or few steps matter.
  constexpr int k_steps = 400;
  constexpr double k_reach = 5;
  Line out{0, 0};
  double mass = 0;
  for (int i = 0; i < k_steps; ++i) {
    const double t = k_reach * (2 * (i + 0.5) / k_steps - 1), weight = phi(t);
    const ResponseAt at_t = at(deviation * t);
    mass += weight;
    out.offset += weight * at_t.value;
    out.gain += weight * at_t.slope;
  }
  out.offset /= mass;
  out.gain /= mass;
  return out;
}

}  // namespace sotto::analyzer
