/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
#include <stddef.h>
int getentropy(void* buffer, size_t size);
