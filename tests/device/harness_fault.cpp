// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Must fail: an illegal instruction ends in the fault handler, which exits with a code. ctest expects the failure.
#include "board.h"

int main() {
  board_puts("about to fault\n");
  __builtin_trap();
  board_exit(0);
}
