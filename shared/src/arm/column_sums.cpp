// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/column_sums.hpp"

#if defined(__ARM_FEATURE_DSP)

namespace sotto::arm {

// The assembly knows where the sums lie: it loads and stores all of them at once.
static_assert(offsetof(ColumnSums, product) == 0 && offsetof(ColumnSums, square) == 8 &&
              offsetof(ColumnSums, sum) == 16 && offsetof(ColumnSums, low) == 20 && offsetof(ColumnSums, high) == 22);

// Two rows are the halves of one register: seven instructions a row, where GCC needs ten and a branch for the extremes.
// All of r0 to r12 and lr are taken:
//   r0 x, r1 bytes from row to row, r2 weight, r3 the last weight, r4:r5 product, r6:r7 square, r8 sum,
//   r9, r10 the smallest and the largest of even and of odd rows, r11 two ones, r12 two readings, lr two weights.
// A last row without a partner is taken as a pair of equal readings with the weights (w, 0), after its square and itself
// were taken off once, so that they count once.
[[gnu::naked, gnu::noinline]] void add_own_rows(const std::int16_t*, std::size_t, const std::int16_t*, std::uint32_t,
                                                ColumnSums&) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, r7, r8, r9, r10, r11, lr}\n\t"
      "ldr r12, [sp, #36]\n\t"
      "ldm r12, {r4, r5, r6, r7, r8, r9}\n\t"  // r9: low, high
      "pkhtb r10, r9, r9, asr #16\n\tpkhbt r9, r9, r9, lsl #16\n\t"
      "mov r11, #0x00010001\n\t"
      "lsls r1, r1, #1\n\t"
      "add r3, r2, r3, lsl #1\n\tsubs r3, #2\n\t"
      "b 3f\n"
      "1:\n\t"
      "ldrh r12, [r0]\n\tldrh lr, [r0, r1]\n\tadd r0, r0, r1, lsl #1\n\tpkhbt r12, r12, lr, lsl #16\n\t"
      "ldr lr, [r2], #4\n"
      "2:\n\t"
      "smlald r4, r5, r12, lr\n\t"
      "smlald r6, r7, r12, r12\n\t"
      "smlad r8, r12, r11, r8\n\t"
      "ssub16 lr, r9, r12\n\tsel r9, r12, r9\n\t"   // the reading where it is not above the smallest
      "ssub16 lr, r12, r10\n\tsel r10, r12, r10\n"  // and where it is not below the largest
      "3:\n\t"
      "cmp r2, r3\n\tblo 1b\n\tbne 4f\n\t"
      "ldrsh r12, [r0]\n\tsub r8, r8, r12\n\tlsl lr, r12, #16\n\tsmlsld r6, r7, lr, lr\n\tpkhbt r12, r12, lr\n\t"
      "ldrh lr, [r2], #2\n\t"
      "b 2b\n"
      "4:\n\t"
      "pkhbt r0, r9, r10, lsl #16\n\tpkhtb r1, r10, r9, asr #16\n\t"  // (low, high) of even and of odd rows
      "ssub16 lr, r0, r1\n\tsel r9, r1, r0\n\tsel r10, r0, r1\n\tpkhbt r9, r9, r10\n\t"
      "ldr r12, [sp, #36]\n\t"
      "stm r12, {r4, r5, r6, r7, r8, r9}\n\t"
      "pop {r4, r5, r6, r7, r8, r9, r10, r11, pc}");
}

// Half of a pair is not 0 after the subtraction that saturates at 0 if its reading is more than `span` above `low`,
// modulo 2^16. A last row without a partner is its own.
//   r0 x, r1 bytes from row to row, r2 rows, r3, r4 twice low and span, r5 rows behind the pair, r6 and lr the pair.
[[gnu::naked, gnu::noinline]] std::uint32_t rows_within(const std::int16_t*, std::size_t, std::uint32_t, std::int32_t,
                                                        std::uint32_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, lr}\n\t"
      "ldr r4, [sp, #16]\n\t"
      "pkhbt r3, r3, r3, lsl #16\n\tpkhbt r4, r4, r4, lsl #16\n\t"
      "lsls r1, r1, #1\n\t"
      "movs r5, r2\n"
      "1:\n\t"
      "subs r5, #2\n\tbmi 3f\n\t"
      "ldrh r6, [r0]\n\tldrh lr, [r0, r1]\n\tadd r0, r0, r1, lsl #1\n"
      "2:\n\t"
      "pkhbt r6, r6, lr, lsl #16\n\tusub16 r6, r6, r3\n\tuqsub16 r6, r6, r4\n\t"
      "cmp r6, #0\n\tbeq 1b\n\t"
      "lsls r6, r6, #16\n\tit eq\n\tsubeq r5, #1\n\t"  // the second of the pair
      "subs r0, r2, r5\n\tsubs r0, #2\n\t"
      "pop {r4, r5, r6, pc}\n"
      "3:\n\t"
      "adds r6, r5, #1\n\tbne 4f\n\t"
      "ldrh r6, [r0]\n\tmov lr, r6\n\tb 2b\n"
      "4:\n\t"
      "mov r0, r2\n\t"
      "pop {r4, r5, r6, pc}");
}

}  // namespace sotto::arm

#endif
