/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_WINDOWS_H
#define SOTTO_WINDOWS_H

#include "sotto.h"

/* Windows 10 and later: the ledger in a file, entropy of the system's generator, memory for secrets. Link bcrypt.
 *
 * Keep the file out of backups and of roaming profiles (FOLDERID_LocalAppData): a copy that is put back restores spent budget. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  void* file; /* HANDLE */
} sotto_windows_flash;

/* Opens or makes the file, which no other process can open meanwhile, and fills `flash`. False: GetLastError() says why. */
bool sotto_windows_flash_open(sotto_windows_flash* state, const wchar_t* path, sotto_flash* flash);
void sotto_windows_flash_close(sotto_windows_flash* state);

/* The system's generator, which is seeded before any process starts. */
sotto_entropy sotto_windows_entropy(void);

/* Whole pages that are not written to the page file where the working set allows it: for sotto_session and its work space. */
void* sotto_windows_secret_memory(size_t bytes);
void sotto_windows_secret_free(void* memory, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
