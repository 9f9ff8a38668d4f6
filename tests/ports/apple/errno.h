/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
extern int* __error(void);
#define errno (*__error())
#define EINTR 4
#define EINVAL 22
#define ENAMETOOLONG 63
