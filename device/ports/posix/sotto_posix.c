/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#define _GNU_SOURCE
#include "sotto_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach/vm_inherit.h>
#endif

enum { SECTOR_BYTES = 32768, SECTORS = 2, UNIT = 16, PATH_BYTES = 4096, COOKIE = 0x6b6f6f63 };

static bool write_all(int file, const uint8_t* data, size_t bytes, off_t at) {
  while (bytes > 0) {
    const ssize_t n = pwrite(file, data, bytes, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    at += n;
    bytes -= (size_t)n;
  }
  return true;
}

/* A lock is inherited by fork(): a child that went on with the ledger would draw once more for what its parent paid. The kernel
 * empties the cookie's page in every child, also in one with the same number in a PID namespace of its own. Where it cannot (before
 * Linux 4.14, other systems) there is no page, and the process id alone decides. */
static bool is_owner(const sotto_posix_flash* state) {
  if (state->cookie != NULL && *state->cookie != COOKIE) return false;
  return state->owner == getpid();
}

static volatile uint32_t* make_cookie(void) {
#if defined(MADV_WIPEONFORK) || defined(__APPLE__)
  void* const page = mmap(NULL, sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
#if defined(__APPLE__)
  const bool is_wiped = minherit(page, sizeof(uint32_t), VM_INHERIT_ZERO) == 0;
#else
  const bool is_wiped = madvise(page, sizeof(uint32_t), MADV_WIPEONFORK) == 0;
#endif
  if (is_wiped) {
    volatile uint32_t* const cookie = page;
    *cookie = COOKIE;
    return cookie;
  }
  munmap(page, sizeof(uint32_t));
#endif
  return NULL;
}

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  const sotto_posix_flash* state = context;
  if (!is_owner(state)) return false;
  while (bytes > 0) {
    const ssize_t n = pread(state->file, out, bytes, (off_t)address);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out += n;
    address += (uint32_t)n;
    bytes -= (uint32_t)n;
  }
  return true;
}

static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  const sotto_posix_flash* state = context;
  return is_owner(state) && write_all(state->file, data, bytes, (off_t)address);
}

static bool flash_erase(void* context, uint32_t sector) {
  const sotto_posix_flash* state = context;
  uint8_t blank[SECTOR_BYTES];
  memset(blank, 0xff, sizeof blank);
  return is_owner(state) && write_all(state->file, blank, sizeof blank, (off_t)sector * SECTOR_BYTES);
}

/* On Apple's systems fsync() leaves the data in the drive's own memory, where a power cut still reaches it. */
static bool sync_data(int file) {
#if defined(__APPLE__)
  return fcntl(file, F_FULLFSYNC) == 0;
#else
  return fdatasync(file) == 0;
#endif
}

static bool flash_sync(void* context) {
  const sotto_posix_flash* state = context;
  return is_owner(state) && sync_data(state->file);
}

/* A new file survives a power cut only when its directory was synced too. */
static bool sync_directory(const char* path) {
  char copy[PATH_BYTES];
  int directory;
  bool done;
  if (strlen(path) >= sizeof copy) {
    errno = ENAMETOOLONG;
    return false;
  }
  strcpy(copy, path);
  directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  done = fsync(directory) == 0;
  close(directory);
  return done;
}

/* Nothing but erased bytes: a file that was cut short while it was made, before any ledger could be in it. */
static bool is_blank(int file, off_t bytes) {
  uint8_t byte;
  off_t at;
  for (at = 0; at < bytes; ++at) {
    if (pread(file, &byte, 1, at) != 1 || byte != 0xff) return false;
  }
  return true;
}

bool sotto_posix_flash_open(sotto_posix_flash* state, const char* path, sotto_flash* flash) {
  struct stat status;
  uint32_t sector;
  state->cookie = NULL;
  state->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (state->file < 0) return false;
  state->sector_bytes = SECTOR_BYTES;
  state->sectors = SECTORS;
  state->owner = getpid();
  state->cookie = make_cookie();
  if (flock(state->file, LOCK_EX | LOCK_NB) != 0 || fstat(state->file, &status) != 0) goto failed;
  if (status.st_size < (off_t)SECTORS * SECTOR_BYTES && is_blank(state->file, status.st_size)) { /* new */
    for (sector = 0; sector < SECTORS; ++sector) {
      if (!flash_erase(state, sector)) goto failed;
    }
    if (fsync(state->file) != 0 || !sync_data(state->file) || !sync_directory(path)) goto failed;
  } else if (status.st_size != (off_t)SECTORS * SECTOR_BYTES) { /* not ours */
    errno = EINVAL;
    goto failed;
  }
  *flash = (sotto_flash){state, flash_read, flash_program, flash_erase, flash_sync, SECTOR_BYTES, SECTORS, UNIT, 0xff};
  return true;
failed:
  sotto_posix_flash_close(state);
  return false;
}

void sotto_posix_flash_close(sotto_posix_flash* state) {
  const int kept = errno;
  /* The way to take a qualifier off in C. NOLINTNEXTLINE(performance-no-int-to-ptr) */
  if (state->cookie != NULL) munmap((void*)(uintptr_t)state->cookie, sizeof *state->cookie);
  state->cookie = NULL;
  if (state->file >= 0) close(state->file);
  state->file = -1;
  errno = kept;
}

#if defined(__APPLE__)

/* Seeded before any process starts. */
static bool entropy_ready(void* context) {
  (void)context;
  return true;
}

static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes > 0) {
    const size_t part = bytes < 256 ? bytes : 256; /* the most that one call gives */
    if (getentropy(out, part) != 0) return false;
    out += part;
    bytes -= part;
  }
  return true;
}

#else

static bool entropy_ready(void* context) {
  uint8_t byte;
  (void)context;
  return getrandom(&byte, 1, GRND_NONBLOCK) == 1;
}

static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes > 0) {
    const ssize_t n = getrandom(out, bytes, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out += n;
    bytes -= (size_t)n;
  }
  return true;
}

#endif

static bool clock_now(void* context, uint64_t* seconds) {
  const time_t now = time(NULL), year_2020 = 1577836800;
  (void)context;
  if (now < year_2020) return false;
  *seconds = (uint64_t)now;
  return true;
}

const sotto_clock* sotto_posix_clock(void) {
  static const sotto_clock clock = {NULL, clock_now, sotto_clock_check};
  return &clock;
}

sotto_entropy sotto_posix_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready, entropy_read};
  return entropy;
}

void* sotto_posix_secret_memory(size_t bytes) {
  void* const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
#if defined(__APPLE__)
  (void)minherit(memory, bytes, VM_INHERIT_ZERO); /* empty in a child */
#endif
  (void)mlock(memory, bytes); /* limits may forbid it; the memory works without */
#ifdef MADV_WIPEONFORK
  (void)madvise(memory, bytes, MADV_WIPEONFORK);
#endif
#ifdef MADV_DONTDUMP
  (void)madvise(memory, bytes, MADV_DONTDUMP);
#endif
  return memory;
}

void sotto_posix_secret_free(void* memory, size_t bytes) {
  volatile uint8_t* byte =
      memory; /* every C library has a wipe of its own name; this one the compiler must keep, too */
  size_t i;
  if (memory == NULL) return;
  for (i = 0; i < bytes; ++i) byte[i] = 0;
  munmap(memory, bytes);
}
