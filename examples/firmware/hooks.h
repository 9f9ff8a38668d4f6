/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* What an emulated board gives to Sotto: entropy and flash. */
#ifndef HOOKS_H
#define HOOKS_H

#include "sotto.h"

/* Hook 1: entropy. The emulated boards have no random number generator. This one is a counter, so that a test can
 * repeat the run; on a real board it would void every privacy promise. device/ports has hooks for real generators. */
static uint32_t not_random = 1;
static bool entropy_ready(void* context) {
  (void)context;
  return true;
}
static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes-- != 0) {
    not_random = not_random * 1664525u + 1013904223u;
    *out++ = (uint8_t)(not_random >> 24);
  }
  return true;
}

/* Hook 2: flash for the ledger, two sectors. Here it is RAM, because the emulated boards cannot program their flash. */
#define SECTOR_BYTES 1024
static uint8_t sectors[2 * SECTOR_BYTES];
static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  while (bytes-- != 0) *out++ = sectors[address++];
  return true;
}
static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
  while (bytes-- != 0) sectors[address++] = *data++;
  return true;
}
static bool flash_erase(void* context, uint32_t sector) {
  uint32_t i;
  (void)context;
  for (i = 0; i < SECTOR_BYTES; ++i) sectors[sector * SECTOR_BYTES + i] = 0xff;
  return true;
}
static bool flash_sync(void* context) {
  (void)context;
  return true;
}

static const sotto_flash flash = {0, flash_read, flash_program, flash_erase, flash_sync, SECTOR_BYTES, 2, 4, 0xff};

#endif
