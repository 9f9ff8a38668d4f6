/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
char* dirname(char*);
