// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

// Called by the reset code of each architecture once there is a stack: initialises .data and .bss, runs constructors
// and main(), and exits.
__attribute__((noreturn)) void board_run(void);

// Every fault ends here: the program exits with code 127.
__attribute__((noreturn)) void board_fault(void);
