/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_WORK_BYTES_H
#define SOTTO_WORK_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of work space that the local answers need beside the samples, for firmware written in C. In C++ they are constants:
 * screen_work_bytes() and its neighbours in sotto/local. `mapped` is 0 where rows come from a hook, 1 where they lie in memory. */
#ifdef __cplusplus
extern "C" {
#endif

size_t sotto_screen_work_bytes(uint32_t rows, int mapped);
size_t sotto_lasso_work_bytes(uint32_t rows, uint32_t columns);
size_t sotto_least_squares_work_bytes(uint32_t columns);
size_t sotto_update_work_bytes(uint32_t keep);
size_t sotto_hadamard_project_work_bytes(uint32_t block);
/* Rows that come from a hook are copied, the chosen columns and the target: so many bytes. Nothing for mapped rows. */
size_t sotto_gathered_bytes(uint32_t rows, uint32_t columns, int mapped);

#ifdef __cplusplus
}
#endif

#endif
