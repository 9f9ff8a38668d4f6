// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Shifts, saturation and exact sums that the local estimators share, mostly on Q24 (a number in int32, 2^24 stands for
/// 1.0). Every target computes the same bits.

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sotto/arm/rows.hpp"
#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

/// v saturated to [-limit, limit]; limit < 2^31.
[[nodiscard, gnu::noinline]] constexpr std::int32_t saturate(std::int64_t v, std::int32_t limit) noexcept {
  return static_cast<std::int32_t>(v > limit ? limit : v < -std::int64_t{limit} ? -std::int64_t{limit} : v);
}

inline constexpr std::int32_t k_int32_max = 0x7fffffff;

/// v saturated to all of int32 but its lowest number.
[[nodiscard, gnu::noinline]] constexpr std::int32_t saturate_int32(std::int64_t v) noexcept {
  return saturate(v, k_int32_max);
}

/// floor(v / 2^shift), shift below 64. Out of line, because it takes eight instructions on a 32-bit core.
[[nodiscard, gnu::noinline]] constexpr std::int64_t shift_right_floor(std::int64_t v, std::uint32_t shift) noexcept {
  return v >> shift;
}

/// v * 2^shift, wrapping modulo 2^64; shift below 64. Out of line for the same reason.
[[nodiscard, gnu::noinline]] constexpr std::uint64_t shift_left(std::uint64_t v, std::uint32_t shift) noexcept {
  return v << shift;
}

/// v / 2^shift, rounded to nearest, a half upward; |v| <= 2^62. For a shift of at most 62, any |v| < 2^63 - 1.
[[nodiscard, gnu::noinline]] constexpr std::int64_t shift_right_round(std::int64_t v, std::uint32_t shift) noexcept {
  if (shift == 0) return v;
  return shift > 62 ? 0 : (shift_right_floor(v, shift - 1) + 1) >> 1;
}

/// a*b, exact. Cortex-M0 multiplies into 32 bits; there the magnitudes are multiplied by multiply_32().
[[nodiscard]] inline std::int64_t multiply_signed(std::int32_t a, std::int32_t b) noexcept {
#if defined(__ARM_ARCH_6M__)
  const auto product = static_cast<std::int64_t>(multiply_32(magnitude(a), magnitude(b)));
  return (a ^ b) < 0 ? -product : product;
#else
  return std::int64_t{a} * b;
#endif
}

/// v * 2^exponent, rounded to nearest, saturating at +-limit; |v| <= 2^62, and limit <= 2^30 for exponents above 30.
[[nodiscard]] inline std::int32_t scale_saturate(std::int64_t v, std::int32_t exponent, std::int32_t limit) noexcept {
  if (exponent <= 0) return saturate(shift_right_round(v, static_cast<std::uint32_t>(-exponent)), limit);
  const std::int32_t factor = 1 << (exponent < 30 ? exponent : 30);  // any number but 0, times 2^30, reaches the limit
  return saturate(multiply_signed(saturate_int32(v), factor), limit);
}

/// The number of bits of |v|.
[[nodiscard, gnu::noinline]] constexpr std::uint32_t signed_bits(std::int64_t v) noexcept {
  const std::uint64_t u = v < 0 ? 0u - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  const auto high = static_cast<std::uint32_t>(u >> 32), low = static_cast<std::uint32_t>(u);
  return static_cast<std::uint32_t>(high != 0 ? 32 + std::bit_width(high) : std::bit_width(low));
}

/// An exact sum of products of Q15 and int32, at most 2^14 of them: 2^14 * 2^15 * 2^31 = 2^60, so it cannot overflow.
/// Cortex-M0 multiplies into 32 bits and is slow at 64-bit sums: there the 16-bit parts of the products are summed
/// separately, each sum below 2^14 * (2^16 + 2^15) < 2^31.
inline constexpr std::size_t k_products_max = std::size_t{1} << 14;
static_assert(k_products_max * ((std::uint64_t{1} << 16) + (1u << 15)) < std::uint64_t{1} << 31);

class ProductSum {
 public:
  [[gnu::always_inline]] void add(Q15 x, std::int32_t v) noexcept {
#if defined(__ARM_ARCH_6M__)
    const std::int32_t upper = x * (v >> 16), lower = x * static_cast<std::int32_t>(v & 0xffff);
    high_ += upper >> 16;
    middle_ += (upper & 0xffff) + (lower >> 16);
    low_ += lower & 0xffff;
#else
    sum_ += std::int64_t{x} * v;
#endif
  }
#if defined(__ARM_ARCH_6M__)
  [[nodiscard]] std::int64_t value() const noexcept {
    return std::int64_t{high_} * (std::int64_t{1} << 32) + std::int64_t{middle_} * 65536 + low_;
  }

 private:
  std::int32_t high_ = 0, middle_ = 0, low_ = 0;
#else
  [[nodiscard]] std::int64_t value() const noexcept { return sum_; }

 private:
  std::int64_t sum_ = 0;
#endif
};

/// sum + floor(x*v / 2^16). The result must fit in int32; |v| < 2^30. One instruction on cores with the DSP extension,
/// two products of 16-bit halves on Cortex-M0 and where compilers vectorise them.
[[nodiscard, gnu::always_inline]] inline std::int32_t add_product_floor(std::int32_t sum, Q15 x,
                                                                        std::int32_t v) noexcept {
#if defined(__ARM_FEATURE_DSP)
  return arm::add_product_floor(sum, x, v);
#elif defined(__ARM_ARCH_6M__) || defined(__SSE2__)
  // With a signed lower half both products are of 16-bit numbers.
  const auto high = static_cast<std::int16_t>((v + 32768) >> 16), low = static_cast<std::int16_t>(v);
  return sum + x * high + ((x * low) >> 16);
#else
  return portable::add_product_floor(sum, x, v);
#endif
}

}  // namespace sotto
