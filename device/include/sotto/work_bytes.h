/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_WORK_BYTES_H
#define SOTTO_WORK_BYTES_H

/** \file
 * Bytes of work space that the local estimators need beside the samples, for firmware written in C. In C++ they are
 * constant expressions with the same names in sotto/local. A question needs the work space of its estimator and some
 * bytes for its own state, which sotto_prepare() checks before it reads a sample.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Screening of the columns; `mapped` is 1 if the rows are in memory, 0 if a hook reads them. */
size_t sotto_screen_work_bytes(uint32_t rows, int mapped);
/* Lasso or SCAD on so many columns. */
size_t sotto_lasso_work_bytes(uint32_t rows, uint32_t columns);
/* Least squares on so many columns. */
size_t sotto_least_squares_work_bytes(uint32_t columns);
/* A model update that keeps so many features after each step; and 6 bytes for each row. */
size_t sotto_update_work_bytes(uint32_t keep);
/* A Hadamard projection with blocks of this size. */
size_t sotto_hadamard_project_work_bytes(uint32_t block);
/* The copy of the chosen columns and the target, for rows that a hook reads or that the device centres: in a study with
 * own units, the default, `mapped` is 0 wherever the rows are. Other mapped rows are not copied. */
size_t sotto_gathered_bytes(uint32_t rows, uint32_t columns, int mapped);

#ifdef __cplusplus
}
#endif

#endif
