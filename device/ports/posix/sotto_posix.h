/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_POSIX_H
#define SOTTO_POSIX_H

#include <sys/types.h>

#include "sotto.h"

/* Linux, Android and Apple's systems: the ledger in a file, entropy from getrandom() or getentropy(), memory for secrets. On Apple's
 * systems the file is synced with F_FULLFSYNC.
 *
 * Keep the file out of backups (Android: noBackupFilesDir; iOS: isExcludedFromBackup and ThisDeviceOnly), out of what a factory
 * reset keeps by mistake, and on a file system that honours fdatasync(). A copy of the file that is put back restores spent
 * budget: where the hardware has a monotonic counter, give it to sotto_ledger_create() and sotto_ledger_open(). */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int file;
  uint32_t sector_bytes;
  uint16_t sectors;
  pid_t owner;
  volatile uint32_t* cookie; /* in a page that is empty in a child after fork() */
} sotto_posix_flash;

/* Opens or makes the file, takes an exclusive lock on it (a second process is refused, and a
 * child after fork() or clone() gets flash_fault, whatever its process id), and fills `flash`. False: errno says why. */
bool sotto_posix_flash_open(sotto_posix_flash* state, const char* path, sotto_flash* flash);
void sotto_posix_flash_close(sotto_posix_flash* state);

/* The kernel's generator; ready once it was seeded. */
sotto_entropy sotto_posix_entropy(void);

/* The system's clock, for sotto_hooks.clock. A device whose clock was never set says so: a time before 2020 is not believed. */
const sotto_clock* sotto_posix_clock(void);

/* Whole pages that are not swapped, not dumped, and empty in a child after fork(): for sotto_session and its work space. NULL: errno. */
void* sotto_posix_secret_memory(size_t bytes);
void sotto_posix_secret_free(void* memory, size_t bytes);

/* Readings of a column as floats, for a study whose devices use their own units: as sotto_place_column(), with the same result
 * for whole numbers. NaN and infinities say that there is no reading. `out` must not overlap. */
void sotto_posix_place_floats(const float* readings, size_t stride, uint32_t rows, int16_t* out, size_t out_stride);

#ifdef __cplusplus
}
#endif

#endif
