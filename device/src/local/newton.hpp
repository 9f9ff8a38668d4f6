// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/wide.hpp"

namespace sotto {

/// The longest step of a coefficient, Q24.
inline constexpr std::int32_t k_step_max = 32 << 24;

/// The inverse of a square: 2^61 divided by the square scaled to 31 bits, and the remaining shift.
struct Inverse {
  std::uint32_t mantissa;  ///< 2^30 < mantissa <= 2^31; 0 for a square of 0
  std::uint32_t shift;     ///< 1..62
};

/// For a square in Q(30+finer), below 2^63, and a gradient in Q(23-coarser).
[[nodiscard, gnu::noinline]] inline Inverse invert(std::uint64_t square, std::uint32_t finer,
                                                   std::uint32_t coarser) noexcept {
  if (square == 0) return {0, 1};
  // square = m * 2^e, m of 31 bits: step_q24 = gradient * 2^(31+finer+coarser-e) / m.
  const std::uint32_t zeros = 64 - signed_bits(static_cast<std::int64_t>(square));
  const std::uint64_t m = shift_left(square, zeros) >> 33;
  const std::uint32_t shift = 63 - zeros, less = finer + coarser;  // shift = 30 + e
  // A square of so few bits that the shift would be to the left gives shorter steps.
  return {static_cast<std::uint32_t>(divide_floor(std::uint64_t{1} << 61, m)), shift > less ? shift - less : 1u};
}

/// gradient / square, the Newton step to the minimum of a parabola, from the inverse of the square: Q24, saturating at
/// +-k_step_max.
[[nodiscard]] inline std::int32_t newton_q24(std::int32_t gradient, std::uint32_t mantissa,
                                             std::uint32_t shift) noexcept {
  return saturate(scale_one(gradient, mantissa, shift, Rounding::nearest), k_step_max);
}

}  // namespace sotto
