// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What a device test needs from the machine it runs on: text out, an exit code, an instruction counter. Implemented for
// the emulated boards (semihosting.c with a start-up and a counter per architecture) and for hosted systems (hosted.c).
// Plain C, so that Unity can use it.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Text is written line by line: one trap into the emulator for each line.
void board_putc(int c);
void board_puts(const char* text);
void board_put_u32(uint32_t value);  // decimal
void board_flush(void);

// Ends the program; the shell sees `code` (0..255).
__attribute__((noreturn)) void board_exit(int code);

// Instructions executed, not cycles, exact to +-2, and the same in every run of the same image.
// board_count() returns the instructions since board_count_start(), without those of the two calls. The count wraps at
// 2^32 on RISC-V, after 2.68e9 instructions on the MPS2 boards and 4.19e9 on the micro:bit.
// Without a counter (hosted systems) board_has_count is 0 and board_count() returns 0.
extern const int board_has_count;
void board_count_start(void);
uint32_t board_count(void);

#ifdef __cplusplus
}
#endif
