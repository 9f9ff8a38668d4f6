// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Reset and trap entry for RISC-V.
#include "startup.h"

__attribute__((naked, section(".vectors"), used)) void reset_handler(void) {
  __asm__ volatile(
      "la sp, sotto_stack_top\n"
      "la t0, trap_handler\n"
      "csrw mtvec, t0\n"
      "j board_run");
}

__attribute__((used, aligned(4))) void trap_handler(void) { board_fault(); }
