// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Products of samples (Q15) with 32-bit numbers: single ones, and over the rows of a column, which are `stride`
/// numbers apart. `portable` is the definition; `arm` is for Cortex-M0 (shared/src/arm/rows.cpp) and cores with the DSP
/// extension, and tests/device/test_arm.cpp compares the two on the core itself.

#include <cstddef>
#include <cstdint>

namespace sotto {

namespace portable {

/// sum + floor(x*v / 2^16). The result must fit in int32; |v| < 2^30.
[[nodiscard]] constexpr std::int32_t add_product_floor(std::int32_t sum, std::int16_t x, std::int32_t v) noexcept {
  return sum + static_cast<std::int32_t>((std::int64_t{x} * v) >> 16);
}

/// r - x*step/2^16, rounded to nearest, a half upward; overflow wraps modulo 2^32. |step| <= 2^30.
[[nodiscard]] constexpr std::int32_t subtract_product(std::int32_t r, std::int16_t x, std::int32_t step) noexcept {
  const auto change = static_cast<std::uint32_t>((32768 - std::int64_t{x} * step) >> 16);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(r) + change);
}

/// The inner product x'r of Q15 and Q24 numbers, exact in Q39. |r| < 2^30.
[[nodiscard]] constexpr std::int64_t dot_rows(const std::int16_t* x, std::size_t stride, const std::int32_t* r,
                                              std::uint32_t rows) noexcept {
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < rows; ++i) sum += std::int64_t{x[i * stride]} * r[i];
  return sum;
}

/// subtract_product() for every row.
constexpr void subtract_rows(const std::int16_t* x, std::size_t stride, std::int32_t step, std::int32_t* r,
                             std::uint32_t rows) noexcept {
  for (std::uint32_t i = 0; i < rows; ++i) r[i] = subtract_product(r[i], x[i * stride], step);
}

}  // namespace portable

namespace arm {

#if defined(__ARM_ARCH_6M__)
/// At most 128 rows; the sum of the products with the upper halves of r must fit in 31 bits.
[[nodiscard]] std::int64_t dot_rows(const std::int16_t* x, std::size_t stride, const std::int32_t* r,
                                    std::uint32_t rows) noexcept;
void subtract_rows(const std::int16_t* x, std::size_t stride, std::int32_t step, std::int32_t* r,
                   std::uint32_t rows) noexcept;
#endif

#if defined(__ARM_FEATURE_DSP)
// One instruction each (SMLAWB, SMMLSR), which GCC does not generate by itself.
[[nodiscard, gnu::always_inline]] inline std::int32_t add_product_floor(std::int32_t sum, std::int16_t x,
                                                                        std::int32_t v) noexcept {
  __asm__("smlawb %0, %1, %2, %0" : "+r"(sum) : "r"(v), "r"(x));
  return sum;
}

[[nodiscard, gnu::always_inline]] inline std::int32_t subtract_product(std::int32_t r, std::int16_t x,
                                                                       std::int32_t step) noexcept {
  __asm__("smmlsr %0, %1, %2, %0" : "+r"(r) : "r"(x * 65536), "r"(step));
  return r;
}
#endif

}  // namespace arm
}  // namespace sotto
