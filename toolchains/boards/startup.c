// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Start-up common to all architectures: initialises memory, runs constructors and main(), and exits.
#include "startup.h"

#include <stdint.h>

#include "board.h"

extern const uint32_t sotto_data_load[];
extern uint32_t sotto_data_begin[], sotto_data_end[], sotto_bss_begin[], sotto_bss_end[];
extern void (*sotto_init_begin[])(void), (*sotto_init_end[])(void);
extern int main(void);

enum { k_exit_fault = 127 };

void board_run(void) {
  const uint32_t* from = sotto_data_load;
  for (uint32_t* to = sotto_data_begin; to < sotto_data_end;) *to++ = *from++;
  for (uint32_t* to = sotto_bss_begin; to < sotto_bss_end;) *to++ = 0;
  for (void (**init)(void) = sotto_init_begin; init < sotto_init_end; ++init) (*init)();
  board_exit(main());
}

void board_fault(void) {
  board_puts("fault\n");
  board_exit(k_exit_fault);
}
