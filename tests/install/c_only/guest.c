/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A shared library that links the device library and exports one function of its own. */
#include "sotto_posix.h"

__attribute__((visibility("default"))) bool guest_is_healthy(void);
bool guest_is_healthy(void) {
  const sotto_entropy entropy = sotto_posix_entropy();
  return sotto_self_test(&entropy, NULL) == SOTTO_OK;
}
