// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The board of hosted systems: text to stdout, no instruction counter.
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

const int board_has_count = 0;

void board_putc(int c) { (void)putchar(c); }
void board_flush(void) { (void)fflush(stdout); }
void board_exit(int code) { exit(code); }
void board_count_start(void) {}
uint32_t board_count(void) { return 0; }
