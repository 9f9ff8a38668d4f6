/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
#include <stddef.h>
#include <sys/types.h>
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_PRIVATE 0x0002
#define MAP_ANONYMOUS 0x1000
#define MAP_FAILED ((void*)-1)
void* mmap(void*, size_t, int, int, int, off_t);
int munmap(void*, size_t);
int mlock(const void*, size_t);
int minherit(void*, size_t, int);
