// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/lift.hpp"

#include <bit>

#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/wide.hpp"

namespace sotto {

void lift(const std::span<const std::int32_t>& g_q24, std::uint32_t radius_q24, Q15* unit) noexcept {
  const std::uint64_t norm = norm_ceil(g_q24);
  const std::uint64_t scale = norm > radius_q24 ? norm : radius_q24;
  // inverse = 2^shift / scale, rounded down, at most 2^31; |g| * inverse / 2^(shift-15) <= 2^15 |g| / scale.
  const std::uint32_t shift =
      62 - (scale >> 32 != 0 ? 0 : static_cast<std::uint32_t>(std::countl_zero(static_cast<std::uint32_t>(scale))));
  const auto inverse = static_cast<std::uint32_t>(shifted_quotient(1, shift, scale));
  constexpr std::uint32_t k_one = 1u << 15;
  std::uint32_t left = k_one * k_one;  // 1 - S: never below 0, because the coordinates are truncated and scale >= |g|
  for (const std::int32_t g : g_q24) {
    std::int32_t c = scale_one(g, inverse, shift - 15, Rounding::toward_zero);
    c -= c == k_q15_one ? 1 : 0;
    left -= static_cast<std::uint32_t>(c * c);
    *unit++ = static_cast<Q15>(c);
  }
  const std::uint32_t last = root_floor(left);
  *unit = static_cast<Q15>(last < k_one ? last : k_one - 1);
}

}  // namespace sotto
