/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_QUESTIONS_H
#define SOTTO_QUESTIONS_H

/** \file
 * The questions that a firmware can answer, one line each, and the work space that their answers take. A part of
 * sotto.h.
 *
 * A firmware lists in sotto_hooks those that it answers; the linker drops the code of the others. Each is described by
 * what the device computes from its samples; the report is that answer after randomization. Where two functions answer
 * the same kind of question, list one of them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sotto_question sotto_question;

/* Vote: which one feature matters on this device, or none. From small to large; a method of selection that is not
 * linked is refused as SOTTO_UNSUPPORTED_QUESTION. */
const sotto_question* sotto_vote_given(void);  /* sotto_local.given, the firmware's own choice */
const sotto_question* sotto_vote_screen(void); /* that, the feature most correlated with the target, the largest mean */
const sotto_question* sotto_vote(void);        /* all of that, and selection by Lasso or SCAD */

/* Bin: in which of c equal bins one coordinate of a local vector lies (coefficients, gradient, means or scores, after a
 * public rotation of the vector). */
const sotto_question* sotto_bin(void);
/* That, and in which cell of a grid the features of one record lie, with the sign of its target. */
const sotto_question* sotto_bin_cells(void);
/* Block: the signs of several features of one record, which must be -1 or +1, times the sign of its residual. */
const sotto_question* sotto_block(void);
/* Moments: the products of one record's features with each other and with its target. */
const sotto_question* sotto_moments(void);
/* That, and the same for random Fourier features in place of the features. */
const sotto_question* sotto_moments_fourier(void);
/* Value: one coordinate of a local vector, as for bin, clipped to a public range. */
const sotto_question* sotto_value(void);
/* Direction: a local vector (coefficients, gradient, means or scores), clipped to a ball of public radius. */
const sotto_question* sotto_direction(void);
/* Label: the target of one record, clipped to a public bound. */
const sotto_question* sotto_label(void);
/* Number: one integer of the firmware's own, sotto_local.numbers, clipped to a public range: for means, histograms,
 * quantiles, counts and events. A device without a reading answers as the study says. */
const sotto_question* sotto_number(void);
/* Category: which one of a study's categories this device is in, sotto_local.given, or none of them. It is the vote of
 * sotto_vote_given(), by its everyday name. For a cross-tab the category is row * columns + column. */
const sotto_question* sotto_category(void);
/* Top: bits of a public hash of one item, sotto_local.item, for a list of the most common ones. */
const sotto_question* sotto_top(void);
/* Update: the change of a broadcast model after some gradient steps on the local rows, clipped to a ball. */
const sotto_question* sotto_update(void);

/* Questions with additive discrete Gaussian noise, which are (epsilon, delta)-private. The duration of the noise
 * sampler varies, so their rounds are refused as SOTTO_TIME_OBSERVED if sotto_hooks.time_observed is set; and as
 * SOTTO_OVER_STUDY_CAP or SOTTO_OVER_TOTAL_CAP unless the policy allows a delta above 0. */
const sotto_question* sotto_label_noisy(void);  /* all that sotto_label() answers, and with noise */
const sotto_question* sotto_update_noisy(void); /* all that sotto_update() answers, and with noise */
/* Sketch: a random projection or random Fourier features of one record, and its target. */
const sotto_question* sotto_sketch(void);
/* Synopsis: several independently noisy copies of one record's features, and its target. */
const sotto_question* sotto_synopsis(void);

/* -- Sizes of reports ---------------------------------------------------------------------------------------------- */

/* Bytes of a sealed report: a header of 16, the answer, a tag of 16. A plain one is 16 shorter. For report_bytes of the
 * ledger take the largest that the study can ask; sotto_report_bytes() tells it from a manifest. */
#define SOTTO_VOTE_REPORT_BYTES 34                 /* vote; one less in studies of up to 255 features */
#define SOTTO_OUTCOME_REPORT_BYTES 36              /* every question without noise */
#define SOTTO_NOISY_REPORT_BYTES(n) (32 + 3 * (n)) /* with noise, n numbers */
#define SOTTO_REPORT_BYTES_MAX 1024                /* no report is longer */

/* -- Sizes of work space ------------------------------------------------------------------------------------------- */

/* sotto_work_bytes() tells the bytes for a round, and `sotto study --header` writes them as constants. The functions
 * below are for a firmware that places its work space before it has seen a round. */

/* Enough for every round that sotto_vote_given() answers. */
#define SOTTO_VOTE_GIVEN_WORK_BYTES 64
/* Enough for sotto_vote() and sotto_vote_screen(). `nominal_rows` is the manifest's number of rows, `keep` the number of
 * columns that screening keeps for Lasso or SCAD (1 to 128), `mapped` says whether the rows are in memory rather than
 * behind a read hook. */
size_t sotto_vote_work_bytes(uint32_t nominal_rows, uint32_t keep, bool mapped);

/* The largest parts of the others, beside some bytes for a question's own state. In C++ they are constant expressions
 * with the same names in sotto/local. */

/* Screening of the columns. */
size_t sotto_screen_work_bytes(uint32_t rows, bool mapped);
/* Lasso or SCAD on so many columns. */
size_t sotto_lasso_work_bytes(uint32_t rows, uint32_t columns);
/* Least squares on so many columns. */
size_t sotto_least_squares_work_bytes(uint32_t columns);
/* A model update that keeps so many features after each step; and 6 bytes for each row. */
size_t sotto_update_work_bytes(uint32_t keep);
/* A Hadamard projection with blocks of this size. */
size_t sotto_hadamard_project_work_bytes(uint32_t block);
/* The copy of the chosen columns and the target, for rows that a hook reads or that the device centres: in a study with
 * own units, the default, `mapped` is false wherever the rows are. Other mapped rows are not copied. */
size_t sotto_gathered_bytes(uint32_t rows, uint32_t columns, bool mapped);

#ifdef __cplusplus
}
#endif

#endif
