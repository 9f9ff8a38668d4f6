// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Unity's settings, the same on every target: included by the compiler's command line in front of Unity and of each
// device test. No floating point, no setjmp: a failed assertion in a helper returns from that helper only.
#pragma once

#include <stddef.h>  // Unity's macros use NULL

#include "board.h"

#define UNITY_EXCLUDE_FLOAT
#define UNITY_EXCLUDE_FLOAT_PRINT
#define UNITY_EXCLUDE_DOUBLE
#define UNITY_EXCLUDE_MATH_H
#define UNITY_EXCLUDE_SETJMP_H
#define UNITY_SUPPORT_64
#define UNITY_OUTPUT_CHAR(c) board_putc(c)
#define UNITY_OUTPUT_FLUSH() board_flush()
