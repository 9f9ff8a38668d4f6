/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: macOS, the part of time.h that the port uses */
#pragma once
typedef long time_t;
time_t time(time_t*);
