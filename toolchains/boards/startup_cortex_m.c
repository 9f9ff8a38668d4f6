// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Vector table and reset entry for Cortex-M.
#include <stdint.h>

#include "startup.h"

extern uint32_t sotto_stack_top[];

void reset_handler(void) {
#if defined(__ARM_FP)
  // Enables the FPU before the compiler may use a floating-point register (for the tests; the library uses none).
  *(volatile uint32_t*)0xE000ED88u |= 0xFu << 20;
  __asm__ volatile("dsb\n isb" ::: "memory");
#endif
  board_run();
}

typedef union {
  void* stack;
  void (*handler)(void);
} Vector;

// The first sixteen entries; the tests enable no interrupt.
// clang-format off
#define FAULT {.handler = board_fault}
__attribute__((section(".vectors"), used)) static const Vector vectors[16] = {
    {.stack = sotto_stack_top}, {.handler = reset_handler},
    FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT, FAULT};
// clang-format on
