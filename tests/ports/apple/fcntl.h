/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
#include <sys/types.h>
#define O_RDONLY 0x0000
#define O_RDWR 0x0002
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_FULLFSYNC 51
int open(const char*, int, ...);
int fcntl(int, int, ...);
