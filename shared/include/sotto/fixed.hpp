// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/masks.hpp"

namespace sotto {

/// Fixed point. Q15: a number in [-1, 1) as int16, 1.0 = 32768. A scalar answer is a Q15 held in int32, so that +1.0 exists.
using Q15 = std::int16_t;

inline constexpr std::int32_t k_q15_one = 32768;

/// A Q15 answer for a scalar channel: [-1, 1] inclusive. Saturates; any int32 is mapped.
[[nodiscard]] inline std::int32_t answer_q15_saturate(std::int32_t v) noexcept {
  return clip_saturate(v, -k_q15_one, k_q15_one);
}

/// |v| as unsigned, exact for every int32 (2^31 included), without a branch.
[[nodiscard]] inline std::uint32_t magnitude(std::int32_t v) noexcept {
  const std::uint32_t negative = mask_negative(v);
  return (static_cast<std::uint32_t>(v) ^ negative) - negative;
}

}  // namespace sotto
