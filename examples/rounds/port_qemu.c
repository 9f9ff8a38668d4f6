/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* The emulated boards micro:bit (Cortex-M0) and MPS2 AN386 (Cortex-M4). The serial line is the board's UART. Flash that survives a
 * reboot and random bits are not emulated: both come from the machine that runs the emulator, through semihosting, from the files
 * `ledger` and /dev/urandom. */
#include <stddef.h>

#include "port.h"

#define REGISTER(address) (*(volatile uint32_t*)(address))

#if defined(BOARD_NRF51)

enum { PROVISION_ADDRESS = 0x30000 };
#define UART 0x40002000u

void port_serial_begin(void) {
  REGISTER(UART + 0x500) = 4; /* enable */
  REGISTER(UART + 0x000) = 1; /* start receiving */
  REGISTER(UART + 0x008) = 1; /* start sending */
}

void port_serial_put(uint8_t byte) {
  REGISTER(UART + 0x11c) = 0; /* sent */
  REGISTER(UART + 0x51c) = byte;
  while (REGISTER(UART + 0x11c) == 0) {
  }
}

uint8_t port_serial_get(void) {
  while (REGISTER(UART + 0x108) == 0) { /* received */
  }
  REGISTER(UART + 0x108) = 0;
  return (uint8_t)REGISTER(UART + 0x518);
}

#else

enum { PROVISION_ADDRESS = 0x100000 };
#define UART 0x40004000u

void port_serial_begin(void) {
  REGISTER(UART + 0x10) = 16; /* divider */
  REGISTER(UART + 0x08) = 3;  /* send and receive */
}

void port_serial_put(uint8_t byte) {
  while ((REGISTER(UART + 0x04) & 1) != 0) { /* full */
  }
  REGISTER(UART + 0x00) = byte;
}

uint8_t port_serial_get(void) {
  while ((REGISTER(UART + 0x04) & 2) == 0) { /* nothing came */
  }
  return (uint8_t)REGISTER(UART + 0x00);
}

#endif

/* -- Semihosting: files of the machine that runs the emulator ------------------------------------------------------------- */

enum {
  SYS_OPEN = 0x01,
  SYS_WRITE = 0x05,
  SYS_READ = 0x06,
  SYS_SEEK = 0x0a,
  SYS_FLEN = 0x0c,
  READ_BINARY = 1,
  UPDATE_BINARY = 3,
  NEW_BINARY = 7
};

static int32_t semihost(uint32_t operation, const uintptr_t* block) {
  register uint32_t r0 __asm__("r0") = operation;
  register const uintptr_t* r1 __asm__("r1") = block;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

static int32_t open_file(const char* name, uintptr_t mode) {
  uintptr_t block[3] = {(uintptr_t)name, mode, 0};
  while (name[block[2]] != '\0') ++block[2];
  return semihost(SYS_OPEN, block);
}

static bool read_file(int32_t file, void* out, uint32_t bytes) {
  const uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)out, bytes};
  return semihost(SYS_READ, block) == 0; /* the bytes that were not read */
}

static bool write_file(int32_t file, const void* data, uint32_t bytes) {
  const uintptr_t block[3] = {(uintptr_t)file, (uintptr_t)data, bytes};
  return semihost(SYS_WRITE, block) == 0;
}

static bool seek_file(int32_t file, uint32_t at) {
  const uintptr_t block[2] = {(uintptr_t)file, at};
  return semihost(SYS_SEEK, block) == 0;
}

/* -- Flash ------------------------------------------------------------------------------------------------------------------ */

enum { SECTOR_BYTES = 2048, SECTORS = 2, UNIT = 4 };
static int32_t flash_file = -1;

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  return seek_file(flash_file, address) && read_file(flash_file, out, bytes);
}

static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
  return seek_file(flash_file, address) && write_file(flash_file, data, bytes);
}

static bool flash_erase(void* context, uint32_t sector) {
  static const uint8_t blank[4] = {0xff, 0xff, 0xff, 0xff};
  uint32_t i;
  (void)context;
  if (!seek_file(flash_file, sector * SECTOR_BYTES)) return false;
  for (i = 0; i < SECTOR_BYTES; i += sizeof blank) {
    if (!write_file(flash_file, blank, sizeof blank)) return false;
  }
  return true;
}

static bool flash_sync(void* context) {
  (void)context; /* a file that is killed with its emulator keeps what was written */
  return true;
}

bool port_flash(sotto_flash* flash) {
  flash_file = open_file("ledger", UPDATE_BINARY);
  if (flash_file < 0) { /* a new board: blank flash */
    flash_file = open_file("ledger", NEW_BINARY);
    if (flash_file < 0 || !flash_erase(NULL, 0) || !flash_erase(NULL, 1)) return false;
  }
  flash->context = NULL;
  flash->read = flash_read;
  flash->program = flash_program;
  flash->erase = flash_erase;
  flash->sync = flash_sync;
  flash->sector_bytes = SECTOR_BYTES;
  flash->sectors = SECTORS;
  flash->program_unit = UNIT;
  flash->erased = 0xff;
  return true;
}

/* -- Entropy ---------------------------------------------------------------------------------------------------------------- */

static int32_t entropy_file = -1;

static bool entropy_ready(void* context) {
  (void)context;
  if (entropy_file < 0) entropy_file = open_file("/dev/urandom", READ_BINARY);
  return entropy_file >= 0;
}

static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  return read_file(entropy_file, out, (uint32_t)bytes);
}

sotto_entropy port_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready, entropy_read};
  return entropy;
}

/* -- Provision -------------------------------------------------------------------------------------------------------------- */

bool port_provision(Provision* out) {
  const uint8_t* const at = (const uint8_t*)PROVISION_ADDRESS;
  uint32_t i;
  __builtin_memcpy(out, at, 4 * sizeof(uint32_t));
  if (out->magic != PROVISION_MAGIC) return false;
  __builtin_memcpy(&out->credential.pseudonym, at + 16, 8);
  for (i = 0; i < sizeof out->credential.key; ++i) out->credential.key[i] = at[24 + i];
  out->manifest = at + 56;
  out->samples = (const int16_t*)(const void*)(at + 56 + (out->manifest_bytes + 3) / 4 * 4);
  return true;
}
