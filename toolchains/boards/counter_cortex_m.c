// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Counts instructions with a timer. With -icount shift=6 every instruction takes 64 ns of virtual time, so a timer of
// the board counts instructions up to its own resolution: instructions = ticks * (ns per tick) / 64.
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))

#if defined(BOARD_NRF51)
// TIMER0, 32 bits, 16 MHz: 62.5 ns a tick, so 125/128 instruction a tick.
enum { k_numerator = 125, k_shift = 7 };
__attribute__((noinline)) static void restart(void) {
  REGISTER(0x40008004u) = 1;  // stop
  REGISTER(0x40008504u) = 0;  // timer mode
  REGISTER(0x40008508u) = 3;  // 32 bits
  REGISTER(0x40008510u) = 0;  // no prescaler
  REGISTER(0x4000800Cu) = 1;  // clear
  REGISTER(0x40008000u) = 1;  // start
}
static uint32_t ticks(void) {
  REGISTER(0x40008040u) = 1;  // capture into CC[0]
  return REGISTER(0x40008540u);
}
#else
// CMSDK timer, 32 bits, counting down. 25 MHz: 40 ns a tick, 5/8 instruction; on the AN505 20 MHz: 50 ns, 25/32.
#if defined(BOARD_AN505)
#define TIMER 0x50000000u
enum { k_numerator = 25, k_shift = 5 };
#else
#define TIMER 0x40000000u
enum { k_numerator = 5, k_shift = 3 };
#endif
__attribute__((noinline)) static void restart(void) {
  REGISTER(TIMER + 0) = 0;            // stop
  REGISTER(TIMER + 8) = 0xFFFFFFFFu;  // reload
  REGISTER(TIMER + 4) = 0xFFFFFFFFu;  // value
  REGISTER(TIMER + 0) = 1;            // start
}
static uint32_t ticks(void) { return 0xFFFFFFFFu - REGISTER(TIMER + 4); }
#endif

const int board_has_count = 1;

static uint32_t empty;  // the count of an empty measurement

__attribute__((noinline)) uint32_t board_count(void) {
  const uint32_t all = (uint32_t)(((uint64_t)ticks() * k_numerator + (1u << (k_shift - 1))) >> k_shift);
  return all > empty ? all - empty : 0;
}

void board_count_start(void) {
  empty = 0;
  restart();
  empty = board_count();
  restart();
}
