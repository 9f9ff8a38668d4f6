// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Must fail: the exit code of board_exit() has to reach the shell. ctest expects the failure.
#include "board.h"

int main() {
  board_puts("exit code 42\n");
  board_exit(42);
}
