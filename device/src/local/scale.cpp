// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scale.hpp"

#include "sotto/fixed.hpp"
#include "sotto/masks.hpp"
#include "sotto/wide.hpp"

namespace sotto {

std::int32_t scale_one(std::int32_t v, std::uint32_t factor, std::uint32_t shift, Rounding rounding) noexcept {
  // At most 2^31 * 2^32, and rounding adds at most 2^61.
  const std::uint64_t half = std::uint64_t{static_cast<std::uint8_t>(rounding)} << (shift - 1);
  const std::uint64_t scaled = (multiply_32(magnitude(v), factor) + half) >> shift;
  const std::uint32_t fits = mask_equal(static_cast<std::uint32_t>(scaled >> 31), 0), sign = mask_negative(v);
  const std::uint32_t size = choose(fits, static_cast<std::uint32_t>(scaled), 0x7fffffff);
  return static_cast<std::int32_t>((size ^ sign) - sign);
}

void scale_all(const std::span<std::int32_t>& v, std::uint32_t factor, std::uint32_t shift,
               Rounding rounding) noexcept {
  for (std::int32_t& number : v) number = scale_one(number, factor, shift, rounding);
}

}  // namespace sotto
