// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/multiply.hpp"

#if defined(SOTTO_SHORT_MULTIPLICATION)

namespace sotto::arm {

// GCC's code for the four products in C++ is twice as long, because it keeps the carries in memory.
[[gnu::naked, gnu::noinline]] std::uint64_t multiply_add(std::uint64_t, std::uint32_t, std::uint32_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, lr}\n\t"
      "uxth r4, r2\n\tlsrs r2, r2, #16\n\tuxth r5, r3\n\tlsrs r3, r3, #16\n\tmovs r6, r4\n\t"
      "muls r6, r5, r6\n\tmuls r4, r3, r4\n\tmuls r5, r2, r5\n\tmuls r2, r3, r2\n\t"
      "adds r0, r0, r6\n\tadcs r1, r2\n\t"
      "lsls r6, r4, #16\n\tlsrs r4, r4, #16\n\tadds r0, r0, r6\n\tadcs r1, r4\n\t"
      "lsls r6, r5, #16\n\tlsrs r5, r5, #16\n\tadds r0, r0, r6\n\tadcs r1, r5\n\t"
      "pop {r4, r5, r6, pc}");
}

[[gnu::naked, gnu::noinline]] std::uint64_t multiply_high_ceil(std::uint64_t, std::uint64_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r0, r1, r2, r3, r4, r5, r6, lr}\n\t"  // a0, a1, b0, b1 at sp, 4, 8, 12
      "movs r6, #0\n\t"
      "movs r3, r2\n\tmovs r2, r0\n\tmovs r0, r6\n\tmovs r1, r6\n\tbl %c0\n\t"
      "movs r4, r0\n\t"
      "movs r0, r1\n\tmovs r1, r6\n\tldr r2, [sp, #4]\n\tldr r3, [sp, #8]\n\tbl %c0\n\t"
      "movs r5, r1\n\tmovs r1, r6\n\tldr r2, [sp]\n\tldr r3, [sp, #12]\n\tbl %c0\n\t"
      "orrs r4, r0\n\t"
      "adds r0, r1, r5\n\tmovs r1, r6\n\tadcs r1, r6\n\tldr r2, [sp, #4]\n\tldr r3, [sp, #12]\n\tbl %c0\n\t"
      "cmp r4, #1\n\tadcs r0, r6\n\tadcs r1, r6\n\t"  // the carry is set if a lower bit is not zero
      "add sp, #16\n\tpop {r4, r5, r6, pc}"
      :
      : "i"(multiply_add));
}

}  // namespace sotto::arm

#endif
