// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Counts instructions with the hart's own counter, which is exact in QEMU with -icount shift=0.
#include "board.h"

const int board_has_count = 1;

static uint32_t begin;
static uint32_t empty;  // the count of an empty measurement

static uint32_t retired(void) {
  uint32_t low;
  __asm__ volatile("csrr %0, minstret" : "=r"(low));
  return low;
}

__attribute__((noinline)) static void restart(void) { begin = retired(); }

__attribute__((noinline)) uint32_t board_count(void) {
  const uint32_t all = retired() - begin;
  return all > empty ? all - empty : 0;
}

void board_count_start(void) {
  empty = 0;
  restart();
  empty = board_count();
  restart();
}
