// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/grid_ball.hpp"

#include "sotto/arithmetic/norm_clip.hpp"
#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/arithmetic/scale.hpp"

namespace sotto {

void grid_ball(const std::span<std::int32_t>& v_q24, std::uint32_t radius_q24, std::uint32_t grid_radius) noexcept {
  norm_clip_q24(v_q24, radius_q24);
  scale_by_ratio(v_q24, grid_radius, radius_q24, Rounding::nearest);
  norm_clip(v_q24, grid_radius);  // proof, step 2: the bound holds whatever came before
}

}  // namespace sotto
