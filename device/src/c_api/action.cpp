// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_action_of(), the table of sotto/statuses.h. In a file of its own so that only a firmware that calls it links it.
#include "sotto/statuses.h"

sotto_action sotto_action_of(sotto_status status) {
  switch (status) {
    case SOTTO_OK:
    case SOTTO_STUDY_EXISTS: return SOTTO_DONE;
    case SOTTO_ENTROPY_NOT_READY:
    case SOTTO_ENTROPY_FAULT:
    case SOTTO_BUSY:
    case SOTTO_CONSENT_OFF:
    case SOTTO_ROUND_NOT_OPEN:
    case SOTTO_CLOCK_NOT_SET:
    case SOTTO_WORK_SPACE_LOST:
    case SOTTO_NOT_ANSWERED: return SOTTO_TRY_LATER;
    case SOTTO_FLASH_FAULT:
    case SOTTO_COUNTER_FAULT:
    case SOTTO_LEDGER_IN_USE:
    case SOTTO_STALE_SESSION:
    case SOTTO_SEAL_FAULT: return SOTTO_OPEN_AGAIN;
    case SOTTO_NOT_IN_COHORT:
    case SOTTO_ALREADY_ANSWERED:
    case SOTTO_SPENT_UNSENT:
    case SOTTO_ROUND_CLOSED:
    case SOTTO_UNSUPPORTED_QUESTION:
    case SOTTO_TIME_OBSERVED:
    case SOTTO_FOREIGN_STUDY:
    case SOTTO_BAD_SIGNATURE:
    case SOTTO_BAD_MAGIC:
    case SOTTO_UNSUPPORTED_VERSION:
    case SOTTO_TRUNCATED:
    case SOTTO_TRAILING_BYTES:
    case SOTTO_BAD_FIELD:
    case SOTTO_TOO_LARGE:
    case SOTTO_BAD_DIMENSION:
    case SOTTO_BAD_CHANNEL:
    case SOTTO_BAD_EPSILON:
    case SOTTO_OVERSPENT:
    case SOTTO_UNCERTIFIED_POINT: return SOTTO_DROP_ROUND;
    case SOTTO_OVER_ANSWERS:
    case SOTTO_OVER_CAP:
    case SOTTO_OVER_STUDY_CAP:
    case SOTTO_OVER_TOTAL_CAP:
    case SOTTO_NEEDS_CREDENTIAL:
    case SOTTO_UNKNOWN_STUDY:
    case SOTTO_STUDY_REMOVED:
    case SOTTO_LEDGER_FULL: return SOTTO_DROP_STUDY;
    case SOTTO_SHORT_BUFFER:
    case SOTTO_OVERLAPPING_BUFFERS:
    case SOTTO_BAD_REPORT_SIZE:
    case SOTTO_NOT_PREPARED:
    case SOTTO_REENTERED:
    case SOTTO_UNCERTIFIED:
    case SOTTO_FLASH_GEOMETRY:
    case SOTTO_SELF_TEST_FAILED:
    case SOTTO_NO_LEDGER:
    case SOTTO_LEDGER_EXISTS:
    case SOTTO_LEDGER_CORRUPT:
    case SOTTO_LEDGER_FOREIGN:
    case SOTTO_LEDGER_WORN:
    case SOTTO_ROLLED_BACK: return SOTTO_FATAL;
  }
  return SOTTO_FATAL;
}
