/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_STATUSES_H
#define SOTTO_STATUSES_H

/** \file
 * What calls of sotto.h return, and what a firmware should do about it; the version of this header.
 */
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. A firmware that is linked with a library of another major or minor version does not
 * link: the name of sotto_ledger_open() in the object file ends in them (GCC and Clang). With other compilers compare
 * sotto_version() with SOTTO_VERSION. */
#define SOTTO_VERSION_MAJOR 0
#define SOTTO_VERSION_MINOR 2
#define SOTTO_VERSION_PATCH 0
#define SOTTO_VERSION (SOTTO_VERSION_MAJOR * 10000 + SOTTO_VERSION_MINOR * 100 + SOTTO_VERSION_PATCH)

/* On every function whose refusal must not be overlooked. */
#if defined(__GNUC__)
#define SOTTO_MUST_CHECK __attribute__((warn_unused_result))
#else
#define SOTTO_MUST_CHECK
#endif

/* The result of a call: SOTTO_OK, or the reason why it was refused. The numbers are stable across versions. */
typedef enum sotto_status {
  SOTTO_OK = 0,                    /* done */
  SOTTO_BAD_DIMENSION = 1,         /* a dimension, number of categories or of features is outside its range */
  SOTTO_BAD_CHANNEL = 2,           /* another parameter of the randomizer is outside its range */
  SOTTO_BAD_EPSILON = 3,           /* epsilon is 0, above 12 nats, or too small for the randomizer's integers */
  SOTTO_OVER_CAP = 4,              /* epsilon is above the cap of this firmware */
  SOTTO_OVERSPENT = 5,             /* the randomizer's parameters would spend more than the stated epsilon */
  SOTTO_UNCERTIFIED_POINT = 6,     /* (epsilon, delta) is not in the table of certified Gaussian points */
  SOTTO_UNCERTIFIED = 7,           /* a randomizer was called with parameters that were not checked */
  SOTTO_ENTROPY_NOT_READY = 8,     /* the entropy hook is missing or reports that it is not ready */
  SOTTO_ENTROPY_FAULT = 9,         /* the entropy hook failed, or its bytes failed the health test */
  SOTTO_SHORT_BUFFER = 10,         /* a buffer of the caller is too small */
  SOTTO_BAD_MAGIC = 11,            /* the bytes are not a manifest, or not a round */
  SOTTO_UNSUPPORTED_VERSION = 12,  /* the format version is unknown to this library */
  SOTTO_TRUNCATED = 13,            /* bytes are missing at the end of a manifest or round */
  SOTTO_TRAILING_BYTES = 14,       /* a manifest or round is followed by bytes that are not a signature */
  SOTTO_BAD_FIELD = 15,            /* a field of a manifest or round is outside its range */
  SOTTO_TOO_LARGE = 16,            /* a manifest above 64 KiB, or a round above 1 KiB */
  SOTTO_FOREIGN_STUDY = 17,        /* the round belongs to another manifest */
  SOTTO_UNSUPPORTED_QUESTION = 18, /* the firmware does not list the question, or the manifest does not allow it */
  SOTTO_NOT_IN_COHORT = 19,        /* the round asks a cohort to which this device does not belong */
  SOTTO_BAD_SIGNATURE = 20,        /* the verify hook rejected the manifest or the round */
  SOTTO_NOT_PREPARED = 21,         /* no session is open, or sotto_prepare() has not succeeded */
  SOTTO_TIME_OBSERVED = 22,        /* the duration would depend on private values, and hooks.time_observed is set */
  SOTTO_OVER_ANSWERS = 23,         /* the device has given as many answers as the manifest allows */
  SOTTO_NEEDS_CREDENTIAL = 24,     /* the study needs sealed reports, and there is no credential */
  SOTTO_ROUND_NOT_OPEN = 25,       /* the clock hook says that the round has not opened yet */
  SOTTO_ROUND_CLOSED = 26,         /* the clock hook says that the round has closed */
  SOTTO_CLOCK_NOT_SET = 27,        /* the round has times and the clock hook no time, or no check */
  SOTTO_SELF_TEST_FAILED = 30,     /* a known answer came out wrong: do not use this build on this device */
  SOTTO_SEAL_FAULT = 31,           /* the AEAD hook or the image key hook failed: nothing may be sent */
  SOTTO_NO_LEDGER = 32,            /* the flash is blank, or the ledger is not open */
  SOTTO_LEDGER_EXISTS = 33,        /* sotto_ledger_create() found a ledger, which it never overwrites */
  SOTTO_LEDGER_CORRUPT = 34,       /* the flash holds what no power cut can leave behind */
  SOTTO_LEDGER_FOREIGN = 35,       /* written for another flash geometry, format version or use of the image key */
  SOTTO_LEDGER_FULL = 36,          /* no room for this study in the memory or in a flash sector */
  SOTTO_FLASH_GEOMETRY = 37,       /* the flash hooks are missing, or describe a flash that the ledger cannot use */
  SOTTO_FLASH_FAULT = 38,          /* a flash hook failed: open the ledger again */
  SOTTO_COUNTER_FAULT = 39,        /* the counter hook failed: open the ledger again */
  SOTTO_ROLLED_BACK = 40,          /* the counter is ahead of the ledger: the flash holds an older copy */
  SOTTO_BUSY = 41,                 /* another call is in progress, or the lock hook returned false */
  SOTTO_CONSENT_OFF = 42,          /* the owner's consent is off */
  SOTTO_UNKNOWN_STUDY = 43,        /* the study is not enrolled */
  SOTTO_STUDY_EXISTS = 44,         /* the study is enrolled already; its credential is kept */
  SOTTO_OVER_STUDY_CAP = 45,       /* the study would spend more than policy.per_study */
  SOTTO_OVER_TOTAL_CAP = 46,       /* the device would spend more than policy.total */
  SOTTO_ALREADY_ANSWERED = 47,     /* this round or a later one was answered */
  SOTTO_SPENT_UNSENT = 48,         /* the round was charged and its report was lost; it is not drawn a second time */
  SOTTO_NOT_ANSWERED = 49,         /* this round was not answered yet */
  SOTTO_BAD_REPORT_SIZE = 50, /* the report does not fit the ledger's report_bytes, or report_bytes is not 1 to 1024 */
  SOTTO_STALE_SESSION = 51,   /* the ledger was opened or created since: open the session again */
  SOTTO_STUDY_REMOVED = 52,   /* the study was removed and cannot be enrolled again */
  SOTTO_LEDGER_IN_USE = 53,   /* another object wrote this flash or memory, or flash decays: open the ledger again */
  SOTTO_OVERLAPPING_BUFFERS = 54, /* a buffer overlaps the work space, round, manifest, session or ledger */
  SOTTO_LEDGER_WORN = 55,         /* the ledger's sequence number is exhausted: nothing more is written */
  SOTTO_REENTERED = 56,           /* a hook called back into the session that called it */
  SOTTO_WORK_SPACE_LOST = 57 /* another session prepared in this work space since: prepare again; nothing was charged */
} sotto_status;

/* What a firmware does about a status; sotto_action_of() is this table as a function.
 *
 *   SOTTO_DONE        nothing is left to do         OK, STUDY_EXISTS
 *   SOTTO_TRY_LATER   the same call again later;    ENTROPY_NOT_READY, ENTROPY_FAULT, BUSY, CONSENT_OFF, ROUND_NOT_OPEN,
 *                     nothing was spent             CLOCK_NOT_SET, WORK_SPACE_LOST, NOT_ANSWERED
 *   SOTTO_OPEN_AGAIN  open ledger and session       FLASH_FAULT, COUNTER_FAULT, LEDGER_IN_USE, STALE_SESSION, SEAL_FAULT
 *                     again, then the same call
 *   SOTTO_DROP_ROUND  forget this round; others     NOT_IN_COHORT, ALREADY_ANSWERED, SPENT_UNSENT, ROUND_CLOSED,
 *                     of the study may follow       UNSUPPORTED_QUESTION, TIME_OBSERVED, FOREIGN_STUDY, BAD_SIGNATURE,
 *                                                   BAD_MAGIC, UNSUPPORTED_VERSION, TRUNCATED, TRAILING_BYTES,
 *                                                   BAD_FIELD, TOO_LARGE, BAD_DIMENSION, BAD_CHANNEL, BAD_EPSILON,
 *                                                   OVERSPENT, UNCERTIFIED_POINT. From sotto_enrol() and
 *                                                   sotto_session_open() it is the manifest that is dropped.
 *   SOTTO_DROP_STUDY  this device is done with the  OVER_ANSWERS, OVER_CAP, OVER_STUDY_CAP, OVER_TOTAL_CAP,
 *                     study                         NEEDS_CREDENTIAL, UNKNOWN_STUDY, STUDY_REMOVED, LEDGER_FULL
 *   SOTTO_FATAL       an error of the firmware or   SHORT_BUFFER, OVERLAPPING_BUFFERS, BAD_REPORT_SIZE, NOT_PREPARED,
 *                     the device: a person must     REENTERED, UNCERTIFIED, FLASH_GEOMETRY, SELF_TEST_FAILED, NO_LEDGER
 *                     look, trying again is no use  (but see sotto_ledger_create()), LEDGER_EXISTS, LEDGER_CORRUPT,
 *                                                   LEDGER_FOREIGN, LEDGER_WORN, ROLLED_BACK
 *
 * SPENT_UNSENT, ALREADY_ANSWERED and OVER_ANSWERS are the end of a round or study, not errors. */
typedef enum sotto_action {
  SOTTO_DONE = 0,
  SOTTO_TRY_LATER = 1,
  SOTTO_OPEN_AGAIN = 2,
  SOTTO_DROP_ROUND = 3,
  SOTTO_DROP_STUDY = 4,
  SOTTO_FATAL = 5
} sotto_action;

/* SOTTO_FATAL for a number that is no status. */
sotto_action sotto_action_of(sotto_status status);

/* The name of a status for a log, for example "over_total_cap"; "unknown" for any other number. The text is linked only
 * into a firmware that calls this. */
const char* sotto_status_text(sotto_status status);

/* The version of the library as major * 10000 + minor * 100 + patch; the format version of manifests, rounds and
 * reports; the format version of the ledger in flash. */
uint32_t sotto_version(void);
uint32_t sotto_wire_version(void);
uint32_t sotto_ledger_version(void);

#ifdef __cplusplus
}
#endif

#endif
