// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Loaded before the C library (LD_PRELOAD): a disk that fails for files whose path holds SOTTO_DISK_PATH.
//   SOTTO_DISK_READ=n   reading fails with EIO behind n bytes in all
//   SOTTO_DISK_WRITE=n  the disk is full (ENOSPC) behind n bytes in all
//   SOTTO_DISK_CUT=n    the process is killed at the n-th call that changes the disk, before it does
//   SOTTO_DISK_INTERRUPT=n, SOTTO_DISK_TIMES=m  it gets SIGINT m times there, once where m is not given
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long long bytes_read, bytes_written, changes;

static long long setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? -1 : atoll(text);
}

static int is_watched_name(const char* path) {
  const char* part = getenv("SOTTO_DISK_PATH");
  return part != NULL && path != NULL && strstr(path, part) != NULL;
}

static int is_watched(int file) {
  char link[64], path[4096];
  ssize_t size;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  size = readlink(link, path, sizeof path - 1);
  if (size < 0) return 0;
  path[size] = 0;
  return is_watched_name(path);
}

static void change(void) {
  const long long cut = setting("SOTTO_DISK_CUT"), interrupt = setting("SOTTO_DISK_INTERRUPT");
  const long long times = setting("SOTTO_DISK_TIMES");
  ++changes;
  if (cut >= 0 && changes >= cut) kill(getpid(), SIGKILL);
  for (long long i = 0; changes == interrupt && i < (times < 0 ? 1 : times); ++i) kill(getpid(), SIGINT);
}

// How many of `size` bytes may pass; -1: none, and errno says why.
static ssize_t passes(long long* passed, const char* limit_name, size_t size, int why) {
  const long long limit = setting(limit_name);
  if (limit < 0) return (ssize_t)size;
  if (*passed >= limit) {
    errno = why;
    return -1;
  }
  if ((long long)size > limit - *passed) size = (size_t)(limit - *passed);
  *passed += (long long)size;
  return (ssize_t)size;
}

#define NEXT(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t read(int file, void* to, size_t size) {
  if (size > 0 && is_watched(file)) {
    const ssize_t pass = passes(&bytes_read, "SOTTO_DISK_READ", size, EIO);
    if (pass < 0) return -1;
    size = (size_t)pass;
  }
  return NEXT("read", ssize_t(*)(int, void*, size_t))(file, to, size);
}

ssize_t pread64(int file, void* to, size_t size, off64_t at) {
  if (size > 0 && is_watched(file)) {
    if (passes(&bytes_read, "SOTTO_DISK_READ", size, EIO) < 0) return -1;
  }
  return NEXT("pread64", ssize_t(*)(int, void*, size_t, off64_t))(file, to, size, at);
}

ssize_t write(int file, const void* from, size_t size) {
  if (size > 0 && is_watched(file)) {
    const ssize_t pass = passes(&bytes_written, "SOTTO_DISK_WRITE", size, ENOSPC);
    if (pass < 0) return -1;
    size = (size_t)pass;
    change();
  }
  return NEXT("write", ssize_t(*)(int, const void*, size_t))(file, from, size);
}

ssize_t pwrite64(int file, const void* from, size_t size, off64_t at) {
  if (size > 0 && is_watched(file)) {
    const ssize_t pass = passes(&bytes_written, "SOTTO_DISK_WRITE", size, ENOSPC);
    if (pass < 0) return -1;
    size = (size_t)pass;
    change();
  }
  return NEXT("pwrite64", ssize_t(*)(int, const void*, size_t, off64_t))(file, from, size, at);
}

ssize_t pwrite(int file, const void* from, size_t size, off_t at) { return pwrite64(file, from, size, at); }

int fsync(int file) {
  if (is_watched(file)) change();
  return NEXT("fsync", int (*)(int))(file);
}

int fdatasync(int file) {
  if (is_watched(file)) change();
  return NEXT("fdatasync", int (*)(int))(file);
}

int ftruncate64(int file, off64_t size) {
  if (is_watched(file)) change();
  return NEXT("ftruncate64", int (*)(int, off64_t))(file, size);
}

int rename(const char* from, const char* to) {
  if (is_watched_name(from) || is_watched_name(to)) change();
  return NEXT("rename", int (*)(const char*, const char*))(from, to);
}

int unlink(const char* path) {
  if (is_watched_name(path)) change();
  return NEXT("unlink", int (*)(const char*))(path);
}
