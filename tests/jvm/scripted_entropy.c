/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A counter in place of the kernel's random bits, so that two programs can be compared: linked with
 * -Wl,--wrap=sotto_posix_entropy. No product links it. */
#include "sotto_posix.h"

static uint32_t not_random = 1;

static bool ready(void* context) {
  (void)context;
  return true;
}

static bool fill(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes-- != 0) {
    not_random = not_random * 1664525u + 1013904223u;
    *out++ = (uint8_t)(not_random >> 24);
  }
  return true;
}

sotto_entropy __wrap_sotto_posix_entropy(void);
sotto_entropy __wrap_sotto_posix_entropy(void) {
  const sotto_entropy entropy = {NULL, ready, fill};
  return entropy;
}
