// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arithmetic/norm_q24.hpp"

#include <bit>

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

std::uint64_t norm_ceil(const std::span<const std::int32_t>& v) noexcept {
  std::uint32_t any = 0;
  for (const std::int32_t c : v) any |= magnitude(c);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(any));
  // n < 2^k coordinates of at most 2^a each: the sum stays at 2^(k + 2a) <= 2^63.
  const std::uint32_t room = (63 - static_cast<std::uint32_t>(std::bit_width(v.size()))) / 2;
  const std::uint32_t shift = bits > room ? bits - room : 0;
  const std::uint32_t round_up = (std::uint32_t{1} << shift) - 1;
  std::uint64_t square = 0;
  for (const std::int32_t c : v) {
    const std::uint32_t kept = (magnitude(c) + round_up) >> shift;
    square += multiply_32(kept, kept);
  }
  const std::uint32_t floor = root_floor(square);
  return shift_left(std::uint64_t{floor} + (multiply_32(floor, floor) < square ? 1u : 0u), shift);
}

void norm_clip_q24(const std::span<std::int32_t>& v, std::uint32_t radius_q24) noexcept {
  const std::uint64_t norm = norm_ceil(v);
  if (norm <= radius_q24) return;
  scale_by_ratio(v, radius_q24, norm, Rounding::toward_zero);  // the norm has at most 40 bits
}

}  // namespace sotto
