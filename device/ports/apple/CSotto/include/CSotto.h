/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* What Swift sees: the C interface and the POSIX port. */
#include "../../../../include/sotto.h"
/* After sotto.h, which it names without a path. */
#include "../../../posix/sotto_posix.h"
