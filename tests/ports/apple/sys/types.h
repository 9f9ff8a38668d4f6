/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Darwin */
#pragma once
typedef long long off_t;
typedef long ssize_t;
typedef int pid_t;
typedef unsigned short mode_t;
