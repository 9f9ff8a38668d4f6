/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
#define LOCK_EX 0x02
#define LOCK_NB 0x04
int flock(int, int);
