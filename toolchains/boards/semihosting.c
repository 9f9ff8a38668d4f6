// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Text and exit code through the emulator's semihosting interface, on Cortex-M and RISC-V.
#include "board.h"

enum { k_sys_write0 = 0x04, k_sys_exit_extended = 0x20, k_application_exit = 0x20026 };

#if defined(__arm__)
static void semihost(int operation, const void* argument) {
  register int r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}
#elif defined(__riscv)
// A semihosting call is these three instructions, uncompressed and in one page, hence the alignment. Arguments: a0, a1.
__attribute__((naked, noinline, aligned(16))) static void semihost(int operation, const void* argument) {
  (void)operation, (void)argument;
  __asm__ volatile(
      ".option push\n.option norvc\n"
      "slli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\nret\n"
      ".option pop" ::
          : "memory");
}
#endif

static char line[120];
static unsigned used;

void board_flush(void) {
  if (used == 0) return;
  line[used] = '\0';
  used = 0;
  semihost(k_sys_write0, line);
}

void board_putc(int c) {
  line[used++] = (char)c;
  if (c == '\n' || used == sizeof line - 1) board_flush();
}

void board_exit(int code) {
  board_flush();
  const uintptr_t block[2] = {k_application_exit, (uintptr_t)code};
  semihost(k_sys_exit_extended, block);
  for (;;) {
  }
}
