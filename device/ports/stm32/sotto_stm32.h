/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_STM32_H
#define SOTTO_STM32_H

#include "sotto.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The last two pages of bank 2, raw: no file system. */
sotto_flash sotto_stm32_flash(void);
/* The RNG peripheral, which the firmware has started as `hrng`. */
sotto_entropy sotto_stm32_entropy(void);

#ifdef __cplusplus
}
#endif

#endif
