// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Text output on top of board_putc(), the same for every board.
#include "board.h"

void board_puts(const char* text) {
  while (*text != '\0') board_putc(*text++);
}

void board_put_u32(uint32_t value) {
  char digits[10];
  unsigned count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count != 0) board_putc(digits[--count]);
}
