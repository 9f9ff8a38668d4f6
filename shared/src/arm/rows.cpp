// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/rows.hpp"

#if defined(__ARM_ARCH_6M__)

// Cortex-M0 multiplies 32 by 32 bits into 32, so numbers are split into 16-bit halves. The loops are in assembly
// because a compiler that runs out of the eight low registers doubles their length.
namespace sotto::arm {

[[gnu::noinline]] std::int64_t dot_rows(const std::int16_t* x, std::size_t stride, const std::int32_t* r,
                                        std::uint32_t rows) noexcept {
  if (rows == 0) return 0;
  // x*r = 2^16 * x*(r>>16) + x*(r & 0xffff); the second product is above -2^31, and its halves are summed apart.
  std::int32_t high = 0, factor, upper, lower;
  std::uint32_t low = 0;
  register const std::size_t bytes __asm__("r8") = 2 * stride;
  register const std::int32_t* const end __asm__("r9") = r + rows;
  __asm__(
      ".syntax unified\n"
      "1: ldmia %[r]!, {%[lower]}\n"
      "   ldrh %[factor], [%[x]]\n"
      "   sxth %[factor], %[factor]\n"
      "   add %[x], %[stride]\n"
      "   asrs %[upper], %[lower], #16\n"
      "   muls %[upper], %[factor], %[upper]\n"
      "   adds %[high], %[high], %[upper]\n"
      "   uxth %[lower], %[lower]\n"
      "   muls %[lower], %[factor], %[lower]\n"
      "   asrs %[upper], %[lower], #16\n"
      "   adds %[high], %[high], %[upper]\n"
      "   uxth %[lower], %[lower]\n"
      "   adds %[low], %[low], %[lower]\n"
      "   cmp %[r], %[end]\n"
      "   bne 1b"
      : [x] "+&l"(x), [r] "+&l"(r), [high] "+&l"(high), [low] "+&l"(low), [factor] "=&l"(factor), [upper] "=&l"(upper),
        [lower] "=&l"(lower)
      : [stride] "r"(bytes), [end] "r"(end)
      : "cc", "memory");
  return std::int64_t{high} * 65536 + low;
}

[[gnu::noinline]] void subtract_rows(const std::int16_t* x, std::size_t stride, std::int32_t step, std::int32_t* r,
                                     std::uint32_t rows) noexcept {
  if (rows == 0) return;
  std::int32_t at = 0, factor, sum;
  const std::int32_t upper = (32768 - step) >> 16, lower = static_cast<std::int16_t>(-step);
  register const std::size_t bytes __asm__("r8") = 2 * stride;
  register const std::int32_t* const end __asm__("r9") = r + rows;
  register const std::int32_t half __asm__("r10") = 32768;
  __asm__ volatile(
      ".syntax unified\n"
      "1: ldrsh %[factor], [%[x], %[at]]\n"
      "   add %[at], %[stride]\n"
      "   movs %[sum], %[lower]\n"
      "   muls %[sum], %[factor], %[sum]\n"
      "   add %[sum], %[half]\n"
      "   asrs %[sum], %[sum], #16\n"
      "   muls %[factor], %[upper], %[factor]\n"
      "   adds %[sum], %[sum], %[factor]\n"
      "   ldr %[factor], [%[r]]\n"
      "   adds %[sum], %[sum], %[factor]\n"
      "   stmia %[r]!, {%[sum]}\n"
      "   cmp %[r], %[end]\n"
      "   bne 1b"
      : [r] "+&l"(r), [at] "+&l"(at), [factor] "=&l"(factor), [sum] "=&l"(sum)
      : [x] "l"(x), [upper] "l"(upper), [lower] "l"(lower), [stride] "r"(bytes), [half] "r"(half), [end] "r"(end)
      : "cc", "memory");
}

}  // namespace sotto::arm

#endif
