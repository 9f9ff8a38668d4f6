// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arm/chacha_block.hpp"

#if defined(SOTTO_CHACHA_IN_ASSEMBLY)

namespace sotto::arm {

// The same code computes the rounds over columns and over diagonals. The state is four rows a, b, c, d of four words.
// Between two rounds the rows are rotated so that the words to be mixed next are in columns: b by one word, d by three
// words, and by two words either c, if diagonals follow, or a, if columns follow. Two rounds rotate every row by two
// words, and four rounds rotate it back to its original position.
//
// Whether row c or a is rotated: the number of rounds left is odd if diagonals follow, and its lowest bit times 32 is
// the offset of the row.
#if defined(__ARM_ARCH_6M__)
// r0 state, r1 to r4 one column, r5 to r7 amounts of rotation, ip the end of row a; [sp] rounds left, [sp, #4] start
[[gnu::naked, gnu::noinline]] void chacha_block(const std::uint32_t*, std::uint32_t, std::uint32_t*,
                                                std::uint32_t*) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r1, r3, r4, r5, r6, r7, lr}\n\t"
      "adr r4, 5f\n\tldmia r4, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "movs r0, r2\n\tldr r1, [sp, #4]\n"
      "1:\tldmia r1!, {r4, r5, r6, r7}\n\tstmia r2!, {r4, r5, r6, r7}\n\tcmp r1, r3\n\tbne 1b\n"
      // a round
      "2:\tmovs r5, #16\n\tmovs r6, #20\n\tmovs r7, r0\n\tadds r7, #16\n\tmov ip, r7\n"
      "3:\tldr r1, [r0]\n\tldr r2, [r0, #16]\n\tldr r3, [r0, #32]\n\tldr r4, [r0, #48]\n\t"
      "adds r1, r1, r2\n\teors r4, r1\n\trors r4, r5\n\t"
      "adds r3, r3, r4\n\teors r2, r3\n\trors r2, r6\n\t"
      "adds r1, r1, r2\n\teors r4, r1\n\tmovs r7, #24\n\trors r4, r7\n\t"
      "adds r3, r3, r4\n\teors r2, r3\n\tmovs r7, #25\n\trors r2, r7\n\t"
      "stmia r0!, {r1}\n\tstr r2, [r0, #12]\n\tstr r3, [r0, #28]\n\tstr r4, [r0, #44]\n\t"
      "cmp r0, ip\n\tbne 3b\n\t"
      // the rows
      "movs r4, r0\n\tldmia r4, {r4, r5, r6, r7}\n\tstmia r0!, {r5, r6, r7}\n\tstmia r0!, {r4}\n\t"
      "adds r0, #16\n\t"
      "movs r4, r0\n\tldmia r4, {r4, r5, r6, r7}\n\tstmia r0!, {r7}\n\tstmia r0!, {r4, r5, r6}\n\t"
      "subs r0, #64\n\t"
      "ldr r1, [sp]\n\tsubs r1, #1\n\tstr r1, [sp]\n\tlsls r2, r1, #31\n\tlsrs r2, r2, #26\n\tadds r2, r0, r2\n\t"
      "movs r4, r2\n\tldmia r4, {r4, r5, r6, r7}\n\tstmia r2!, {r6, r7}\n\tstmia r2!, {r4, r5}\n\t"
      "cmp r1, #0\n\tbne 2b\n\t"
      // the sum
      "ldr r3, [sp, #4]\n\tmovs r4, #0\n\tmovs r5, r3\n\tadds r5, #64\n"
      "4:\tldr r1, [r0]\n\tldr r2, [r3]\n\tadds r1, r1, r2\n\tstmia r0!, {r1}\n\tstmia r3!, {r4}\n\t"
      "cmp r3, r5\n\tbne 4b\n\t"
      "pop {r1, r3, r4, r5, r6, r7, pc}\n\t"
      ".balign 4\n"
      "5:\t.ascii \"expand 32-byte k\"");
}
#else
// r0 state, r1 to r8 two columns, r9 start, ip the end of row a, lr rounds left
[[gnu::naked, gnu::noinline]] void chacha_block(const std::uint32_t*, std::uint32_t, std::uint32_t*,
                                                std::uint32_t*) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, r7, r8, r9, lr}\n\t"
      "mov r9, r3\n\tmov lr, r1\n\t"
      "adr r4, 5f\n\tldmia r4, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r4, r5, r6, r7}\n\tstmia r3!, {r4, r5, r6, r7}\n\t"
      "mov r0, r2\n\tmov r1, r9\n"
      "1:\tldmia r1!, {r4, r5, r6, r7}\n\tstmia r2!, {r4, r5, r6, r7}\n\tcmp r1, r3\n\tbne 1b\n"
      // a round; the instructions that read rotated words also rotate them
      "2:\tadd ip, r0, #16\n"
      "3:\tldrd r1, r8, [r0]\n\tldrd r2, r3, [r0, #16]\n\tldrd r4, r5, [r0, #32]\n\tldrd r6, r7, [r0, #48]\n\t"
      "add r1, r2\n\teors r6, r1\n\tadd r4, r4, r6, ror #16\n\teors r2, r4\n\t"
      "add r1, r1, r2, ror #20\n\teor r6, r1, r6, ror #16\n\tadd r4, r4, r6, ror #24\n\teor r2, r4, r2, ror #20\n\t"
      "ror r6, r6, #24\n\tror r2, r2, #25\n\t"
      "add r8, r3\n\teor r7, r7, r8\n\tadd r5, r5, r7, ror #16\n\teors r3, r5\n\t"
      "add r8, r8, r3, ror #20\n\teor r7, r8, r7, ror #16\n\tadd r5, r5, r7, ror #24\n\teor r3, r5, r3, ror #20\n\t"
      "ror r7, r7, #24\n\tror r3, r3, #25\n\t"
      "strd r1, r8, [r0], #8\n\tstrd r2, r3, [r0, #8]\n\tstrd r4, r5, [r0, #24]\n\tstrd r6, r7, [r0, #40]\n\t"
      "cmp r0, ip\n\tbne 3b\n\t"
      // the rows
      "ldmia r0, {r4, r5, r6, r7}\n\tstmia r0!, {r5, r6, r7}\n\tstmia r0!, {r4}\n\t"
      "adds r0, #16\n\t"
      "ldmia r0, {r4, r5, r6, r7}\n\tstmia r0!, {r7}\n\tstmia r0!, {r4, r5, r6}\n\t"
      "subs r0, #64\n\t"
      "subs lr, lr, #1\n\tubfx r2, lr, #0, #1\n\tadd r2, r0, r2, lsl #5\n\t"
      "ldmia r2, {r4, r5, r6, r7}\n\tstmia r2!, {r6, r7}\n\tstmia r2!, {r4, r5}\n\t"
      "bne 2b\n\t"
      // the sum
      "mov r3, r9\n\tmovs r4, #0\n\tadd r5, r3, #64\n"
      "4:\tldr r1, [r0]\n\tldr r2, [r3]\n\tadd r1, r2\n\tstmia r0!, {r1}\n\tstmia r3!, {r4}\n\t"
      "cmp r3, r5\n\tbne 4b\n\t"
      "pop {r4, r5, r6, r7, r8, r9, pc}\n\t"
      ".balign 4\n"
      "5:\t.ascii \"expand 32-byte k\"");
}
#endif

}  // namespace sotto::arm

#endif
