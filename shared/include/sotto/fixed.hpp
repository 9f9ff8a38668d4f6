// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fixed-point format of samples and scalar answers, Q15, and its saturating conversion.

#include <cstdint>

#include "sotto/masks.hpp"

namespace sotto {

/// Q15: a number in [-1, 1) as int16, where 32768 stands for 1.0. A scalar answer is a Q15 in an int32, so that +1.0
/// can be represented.
using Q15 = std::int16_t;

inline constexpr std::int32_t k_q15_one = 32768;

/// Clips v to [-1, 1] in Q15, both ends included: the answer of a scalar channel. Saturating; defined for every int32;
/// constant time.
[[nodiscard]] inline std::int32_t answer_q15_saturate(std::int32_t v) noexcept {
  return clip_saturate(v, -k_q15_one, k_q15_one);
}

/// |v| as unsigned, exact for every int32 (2^31 included). Constant time.
[[nodiscard]] inline std::uint32_t magnitude(std::int32_t v) noexcept {
  const std::uint32_t negative = mask_negative(v);
  return (static_cast<std::uint32_t>(v) ^ negative) - negative;
}

}  // namespace sotto
