// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/chacha_rounds.hpp"

namespace sotto {

#if defined(__ARM_ARCH_6M__)
// Half the size of GCC's code for the C++ version: one quarter round serves all places. It takes b, c and d in r2, r3,
// r4, and a from the address in r0, which then advances.
[[gnu::naked, gnu::noinline]] void chacha_rounds(std::uint32_t*, int) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r1, r4, r5, r6, r7, lr}\n\t"
      "movs r5, #16\n\tmovs r6, #20\n"
      "1:\tmovs r7, r0\n\tadds r7, #16\n\tmov ip, r7\n"
      "2:\tldr r2, [r0, #16]\n\tldr r3, [r0, #32]\n\tldr r4, [r0, #48]\n\tbl 3f\n\t"  // the columns
      "str r2, [r0, #12]\n\tstr r3, [r0, #28]\n\tstr r4, [r0, #44]\n\t"
      "cmp r0, ip\n\tbne 2b\n\t"
      "subs r0, #16\n\t"
      "ldr r2, [r0, #20]\n\tldr r3, [r0, #40]\n\tldr r4, [r0, #60]\n\tbl 3f\n\t"  // the diagonals
      "str r2, [r0, #16]\n\tstr r3, [r0, #36]\n\tstr r4, [r0, #56]\n\t"
      "ldr r2, [r0, #20]\n\tldr r3, [r0, #40]\n\tldr r4, [r0, #44]\n\tbl 3f\n\t"
      "str r2, [r0, #16]\n\tstr r3, [r0, #36]\n\tstr r4, [r0, #40]\n\t"
      "ldr r2, [r0, #20]\n\tldr r3, [r0, #24]\n\tldr r4, [r0, #44]\n\tbl 3f\n\t"
      "str r2, [r0, #16]\n\tstr r3, [r0, #20]\n\tstr r4, [r0, #40]\n\t"
      "ldr r2, [r0, #4]\n\tldr r3, [r0, #24]\n\tldr r4, [r0, #44]\n\tbl 3f\n\t"
      "str r2, [r0, #0]\n\tstr r3, [r0, #20]\n\tstr r4, [r0, #40]\n\t"
      "subs r0, #16\n\t"
      "ldr r1, [sp]\n\tsubs r1, #2\n\tstr r1, [sp]\n\tbne 1b\n\t"
      "pop {r1, r4, r5, r6, r7, pc}\n"
      "3:\tldr r1, [r0]\n\t"
      "adds r1, r1, r2\n\teors r4, r1\n\trors r4, r5\n\t"
      "adds r3, r3, r4\n\teors r2, r3\n\trors r2, r6\n\t"
      "adds r1, r1, r2\n\teors r4, r1\n\tmovs r7, #24\n\trors r4, r7\n\t"
      "adds r3, r3, r4\n\teors r2, r3\n\tmovs r7, #25\n\trors r2, r7\n\t"
      "stmia r0!, {r1}\n\tbx lr");
}
#else
[[gnu::noinline]] void chacha_rounds(std::uint32_t x[16], int left) noexcept { portable::chacha_rounds(x, left); }
#endif

}  // namespace sotto
