// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/sha256_constants.hpp"

#if defined(__ARM_ARCH_6M__)

namespace sotto::arm {

[[gnu::naked, gnu::noinline]] void sha256_constants(std::uint32_t*) noexcept {
  // r5:r4 root, r6 n, r7 out
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, r7, lr}\n\t"
      "movs r7, r0\n\tmovs r4, #0\n\tmovs r5, #1\n\tlsls r5, r5, #29\n\tmovs r6, #1\n"
      "1:\tadds r6, #1\n\tmovs r1, #1\n"
      "2:\tadds r1, #1\n\tmovs r2, r6\n"
      "3:\tsubs r2, r2, r1\n\tbhi 3b\n\tbne 2b\n\tcmp r1, r6\n\tbne 1b\n"
      "4:\tmovs r0, r4\n\tmovs r1, r5\n\tmovs r2, r4\n\tmovs r3, r5\n\tbl %c0\n\t"
      "movs r2, r4\n\tmovs r3, r5\n\tbl %c0\n\t"
      "lsls r3, r6, #23\n\tnegs r0, r0\n\tsbcs r3, r1\n\t"
      "lsls r1, r3, #31\n\tlsrs r0, r0, #1\n\torrs r0, r1\n\tasrs r3, r3, #1\n\t"
      "cmp r6, #31\n\tbhi 5f\n\tadds r0, r0, r0\n\tadcs r3, r3\n\tadds r0, r0, r0\n\tadcs r3, r3\n5:\t"
      "adds r4, r4, r0\n\tadcs r5, r3\n\tlsrs r0, r0, #4\n\torrs r0, r3\n\tbne 4b\n\t"
      "lsls r1, r5, #3\n\tlsrs r0, r4, #29\n\torrs r0, r1\n\tstmia r7!, {r0}\n\t"
      "movs r0, #255\n\tadds r0, #56\n\tcmp r0, r6\n\tbne 1b\n\t"
      "pop {r4, r5, r6, r7, pc}"
      :
      : "i"(multiply_high_ceil));
}

}  // namespace sotto::arm

#endif
