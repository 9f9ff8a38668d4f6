// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arithmetic/scale.hpp"

#include <bit>

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/fixed.hpp"
#include "sotto/masks.hpp"
#include "sotto/wide.hpp"

namespace sotto {

[[gnu::noinline]] std::uint64_t shifted_quotient(std::uint32_t n, std::uint32_t shift, std::uint64_t d) noexcept {
  return divide_floor(shift_left(n, shift), d);
}

[[gnu::noinline]] std::uint64_t divide_short(std::uint64_t n, std::uint32_t d) noexcept {
  const auto high = static_cast<std::uint32_t>(n >> 32), low = static_cast<std::uint32_t>(n);
  const std::uint32_t middle = high % d << 16 | low >> 16, last = middle % d << 16 | (low & 0xffffu);
  return (std::uint64_t{high / d} << 32) + (middle / d << 16) + last / d;
}

std::int32_t scale_one(std::int32_t v, std::uint32_t factor, std::uint32_t shift, Rounding rounding) noexcept {
  const auto product = static_cast<std::int64_t>(multiply_32(magnitude(v), factor));  // at most 2^62
  const auto scaled =
      static_cast<std::uint64_t>((shift_right_floor(product, shift - 1) + static_cast<std::uint8_t>(rounding)) >> 1);
  const std::uint32_t fits = mask_equal(static_cast<std::uint32_t>(scaled >> 31), 0), sign = mask_negative(v);
  const std::uint32_t size = choose(fits, static_cast<std::uint32_t>(scaled), 0x7fffffff);
  return static_cast<std::int32_t>((size ^ sign) - sign);
}

void scale_all(const std::span<std::int32_t>& v, std::uint32_t factor, std::uint32_t shift,
               Rounding rounding) noexcept {
  for (std::int32_t& number : v) number = scale_one(number, factor, shift, rounding);
}

void scale_by_ratio(const std::span<std::int32_t>& v, std::uint32_t n, std::uint64_t d, Rounding rounding) noexcept {
  const std::uint32_t wanted = 30 + signed_bits(static_cast<std::int64_t>(d));
  const std::uint32_t shift = (wanted < 62 ? wanted : 62) - static_cast<std::uint32_t>(std::bit_width(n));
  scale_all(v, static_cast<std::uint32_t>(shifted_quotient(n, shift, d)), shift, rounding);
}

}  // namespace sotto
