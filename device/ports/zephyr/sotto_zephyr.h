/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_ZEPHYR_H
#define SOTTO_ZEPHYR_H

#include "sotto.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The partition `sotto_partition`, with the page size, write unit and erased value that its flash driver states. False: there is no
 * such partition, or its geometry is one that the ledger cannot use. */
bool sotto_zephyr_flash(sotto_flash* flash);

/* The driver behind `zephyr,entropy`. */
sotto_entropy sotto_zephyr_entropy(void);

/* The questions that Kconfig chose; returns their number, at most SOTTO_ZEPHYR_QUESTIONS. */
#define SOTTO_ZEPHYR_QUESTIONS 3
size_t sotto_zephyr_questions(const sotto_question** out);

#ifdef __cplusplus
}
#endif

#endif
