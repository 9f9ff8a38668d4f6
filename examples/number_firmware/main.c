/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A firmware that answers a number: how long this device took to boot, on average. What the boots were never leaves the
 * device; a report says one of 128 outcomes, most of them not the true one. For a real board replace hooks.h of the
 * firmware beside this one, the log of boots, and board_puts(). */
#include "../firmware/hooks.h"
#include "board.h"
#include "study.h"

/* The last boots in milliseconds, oldest first. The first one was interrupted, so that there is no reading of it. */
static const int32_t boots[] = {SOTTO_NO_NUMBER, 1840, 1795, 2010};

static int32_t read_boot(void* context, uint32_t i) {
  (void)context;
  return boots[i];
}

static int refused(const char* what, sotto_status status) {
  board_puts(what);
  board_puts(" refused: ");
  board_puts(sotto_status_text(status));
  board_puts("\n");
  return 1;
}

int main(void) {
  static const sotto_policy policy = {{UINT64_C(4000000000), 0}, {UINT64_C(8000000000), 0}};
  static const sotto_local local = {.numbers = {.count = sizeof boots / sizeof *boots, .read = read_boot}};
  static sotto_ledger ledger;
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8];
  static const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  static sotto_session session;
  static uint64_t work[STUDY_WORK_BYTES / 8];
  static uint8_t report[STUDY_REPORT_BYTES];
  const sotto_question* questions[1];
  sotto_hooks hooks = {.entropy = {0, entropy_ready, entropy_read}, .questions = questions, .question_count = 1};
  sotto_status status;
  size_t used = 0, i;
  questions[0] = STUDY_ROUND_1_QUESTION();

  flash_erase(0, 0); /* makes the memory look like blank flash; a real board never erases its ledger */
  flash_erase(0, 1);
  status = sotto_ledger_open(&ledger, &memory, &flash, 0);
  if (status == SOTTO_NO_LEDGER) status = sotto_ledger_create(&ledger, &memory, &flash, 0, &policy, &hooks.entropy);
  if (status != SOTTO_OK) return refused("ledger", status);
  /* Whoever starts the emulator is the owner, and agrees. A product asks (examples/firmware). */
  status = sotto_ledger_set_consent(&ledger, true);
  if (status != SOTTO_OK) return refused("consent", status);
  status = sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &study_credential, &hooks);
  if (status != SOTTO_OK && status != SOTTO_STUDY_EXISTS) return refused("enrolment", status);
  status = sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
  if (status != SOTTO_OK) return refused("study", status);
  status = sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report,
                        &used);
  if (status != SOTTO_OK) return refused("round", status);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  for (i = 0; i < used; ++i) {
    board_putc("0123456789abcdef"[report[i] >> 4]);
    board_putc("0123456789abcdef"[report[i] & 15]);
  }
  board_puts("\n");
  return 0;
}
