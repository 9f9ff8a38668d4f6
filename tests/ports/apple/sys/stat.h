/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
#include <sys/types.h>
struct stat {
  mode_t st_mode;
  off_t st_size;
};
#define S_IRUSR 0000400
#define S_IWUSR 0000200
int fstat(int, struct stat*);
