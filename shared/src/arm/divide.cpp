// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/divide.hpp"

#if defined(SOTTO_DIVISION_IN_ASSEMBLY)

namespace sotto::arm {

// The bits run through one chain of carries, from the dividend to the rest, and the carry of the comparison is the next
// bit of the quotient: twelve instructions a bit, where GCC needs twenty without a branch. r4:r5 is the rest, below
// 2^64 because d is below 2^63.
[[gnu::naked, gnu::noinline]] std::uint64_t divide_floor(std::uint64_t, std::uint64_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, r7}\n\t"
      "movs r4, #0\n\tmovs r5, #0\n\tmov r12, #64\n"
      "1:\n\t"
      "adds r0, r0, r0\n\tadcs r1, r1\n\tadcs r4, r4\n\tadcs r5, r5\n\t"
      "subs r6, r4, r2\n\tsbcs r7, r5, r3\n\t"
      "itt cs\n\tmovcs r4, r6\n\tmovcs r5, r7\n\t"
      "adc r0, r0, #0\n\t"
      "subs r12, r12, #1\n\tbne 1b\n\t"
      "pop {r4, r5, r6, r7}\n\t"
      "bx lr");
}

}  // namespace sotto::arm

#endif
