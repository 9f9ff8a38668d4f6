// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/direction_error.hpp"

#include <cmath>
#include <numbers>

#include "sotto/codeword.hpp"

namespace sotto::analyzer {

double two_level_contrast(const TwoLevel& channel) noexcept {
  const double inside = std::ldexp(channel.threshold, -32);
  return inside / channel.inside - (1.0 - inside) / (channel.outcomes - channel.inside);
}

DirectionError direction_error(const HemisphereSpec& spec) {
  const double variance = k_nibble_variance_x4 / 4.0;
  const double scale = two_level_contrast(channel(spec)) * std::sqrt(variance * 2.0 / std::numbers::pi);
  const double square = variance / (scale * scale);
  return {scale, square, square, spec.dimension};
}

DirectionError direction_error(const CrossPolytopeSpec& spec, TopSums& top) {
  const double size = std::ldexp(1.0, static_cast<int>(spec.log2_size));
  const TwoLevel c = channel(spec);
  const double contrast = two_level_contrast(c);
  const double outside = (1.0 - std::ldexp(c.threshold, -32)) / (c.outcomes - c.inside);
  const double scale = contrast * top.sum(spec.closest) / mean_chi(top.count());
  // The squares of <u, x> over all 2D codewords sum to 2; the k inside have sum_of_squares / D of that.
  const double along = contrast * top.sum_of_squares(spec.closest) / size + 2.0 * outside;
  return {scale, along / (scale * scale), (1.0 - along) / ((size - 1.0) * scale * scale), spec.dimension};
}

DirectionError direction_error(const CrossPolytopeSpec& spec) {
  TopSums top{{ScoreLaw::Kind::absolute_normal}, std::uint32_t{1} << spec.log2_size};
  return direction_error(spec, top);
}

DirectionError direction_error(const SphereCodeSpec& spec, TopSums& top) {
  const TwoLevel c = channel(spec);
  const double contrast = two_level_contrast(c);
  const double outside = (1.0 - std::ldexp(c.threshold, -32)) / (c.outcomes - c.inside);
  const double scale = contrast * top.sum(spec.closest);
  const double along = contrast * top.sum_of_squares(spec.closest) + outside * c.outcomes / spec.dimension;
  return {scale, along / (scale * scale), (1.0 - along) / ((spec.dimension - 1.0) * scale * scale), spec.dimension};
}

DirectionError direction_error(const SphereCodeSpec& spec) {
  TopSums top{{ScoreLaw::Kind::sphere, spec.dimension}, spec.codewords};
  return direction_error(spec, top);
}

}  // namespace sotto::analyzer
