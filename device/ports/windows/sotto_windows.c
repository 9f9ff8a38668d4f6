/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include "sotto_windows.h"

#include <string.h>
#include <windows.h>
/* After windows.h, which it needs. */
#include <bcrypt.h>

enum { SECTOR_BYTES = 32768, SECTORS = 2, UNIT = 16 };

static void at(uint32_t address, OVERLAPPED* place) {
  memset(place, 0, sizeof *place);
  place->Offset = address;
}

static bool write_all(HANDLE file, const uint8_t* data, uint32_t bytes, uint32_t address) {
  while (bytes > 0) {
    OVERLAPPED place;
    DWORD n = 0;
    at(address, &place);
    if (!WriteFile(file, data, bytes, &n, &place) || n == 0) return false;
    data += n;
    address += n;
    bytes -= n;
  }
  return true;
}

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  const sotto_windows_flash* state = context;
  while (bytes > 0) {
    OVERLAPPED place;
    DWORD n = 0;
    at(address, &place);
    if (!ReadFile(state->file, out, bytes, &n, &place) || n == 0) return false;
    out += n;
    address += n;
    bytes -= n;
  }
  return true;
}

static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  const sotto_windows_flash* state = context;
  return write_all(state->file, data, bytes, address);
}

static bool flash_erase(void* context, uint32_t sector) {
  const sotto_windows_flash* state = context;
  uint8_t blank[SECTOR_BYTES];
  memset(blank, 0xff, sizeof blank);
  return write_all(state->file, blank, sizeof blank, sector * SECTOR_BYTES);
}

static bool flash_sync(void* context) {
  const sotto_windows_flash* state = context;
  return FlushFileBuffers(state->file) != 0;
}

/* Nothing but erased bytes: a file that was cut short while it was made, before any ledger could be in it. */
static bool is_blank(const sotto_windows_flash* state, uint32_t bytes) {
  uint8_t byte;
  uint32_t address;
  for (address = 0; address < bytes; ++address) {
    if (!flash_read((void*)(uintptr_t)state, address, &byte, 1) || byte != 0xff) return false;
  }
  return true;
}

bool sotto_windows_flash_open(sotto_windows_flash* state, const wchar_t* path, sotto_flash* flash) {
  LARGE_INTEGER size;
  uint32_t sector;
  DWORD fault = ERROR_SUCCESS;
  /* Sharing nothing is the lock. */
  state->file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
  if (state->file == INVALID_HANDLE_VALUE) return false;
  if (!GetFileSizeEx(state->file, &size)) {
    fault = GetLastError();
  } else if (size.QuadPart < (LONGLONG)SECTORS * SECTOR_BYTES && is_blank(state, (uint32_t)size.QuadPart)) { /* new */
    for (sector = 0; sector < SECTORS && fault == ERROR_SUCCESS; ++sector) {
      if (!flash_erase(state, sector)) fault = GetLastError();
    }
    if (fault == ERROR_SUCCESS && !flash_sync(state)) fault = GetLastError();
  } else if (size.QuadPart != (LONGLONG)SECTORS * SECTOR_BYTES) { /* not ours */
    fault = ERROR_INVALID_DATA;
  }
  if (fault != ERROR_SUCCESS) {
    sotto_windows_flash_close(state);
    SetLastError(fault);
    return false;
  }
  *flash = (sotto_flash){state, flash_read, flash_program, flash_erase, flash_sync, SECTOR_BYTES, SECTORS, UNIT, 0xff};
  return true;
}

void sotto_windows_flash_close(sotto_windows_flash* state) {
  if (state->file != INVALID_HANDLE_VALUE) CloseHandle(state->file);
  state->file = INVALID_HANDLE_VALUE;
}

static bool entropy_ready(void* context) {
  (void)context;
  return true;
}

static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  return BCryptGenRandom(NULL, out, (ULONG)bytes, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0;
}

sotto_entropy sotto_windows_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready, entropy_read};
  return entropy;
}

void* sotto_windows_secret_memory(size_t bytes) {
  void* const memory = VirtualAlloc(NULL, bytes, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
  if (memory != NULL) (void)VirtualLock(memory, bytes); /* limits may forbid it; the memory works without */
  return memory;
}

void sotto_windows_secret_free(void* memory, size_t bytes) {
  if (memory == NULL) return;
  SecureZeroMemory(memory, bytes);
  VirtualFree(memory, 0, MEM_RELEASE);
}
