/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* Answers one round of the study in study.h and prints the report as hex. */
#include <zephyr/sys/printk.h>

#include "sotto_zephyr.h"
#include "study.h"

/* The owner's decision: it is asked for while consent is off, and the ledger keeps it. To do for a product: read a button, a menu or an
 * app here, and remember a no. The sample takes it from the configuration of the board, which says no unless boards/<board>.conf says
 * otherwise. */
static bool owner_agrees(void) {
#ifdef CONFIG_SAMPLE_OWNER_AGREES
  return true;
#else
  return false;
#endif
}

static int refused(const char* what, sotto_status status) {
  printk("%s refused: %s\n", what, sotto_status_text(status));
  return 0;
}

int main(void) {
  static const sotto_policy policy = {{UINT64_C(4000000000), 0}, {UINT64_C(8000000000), 0}};
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(CONFIG_SOTTO_STUDIES, CONFIG_SOTTO_REPORT_BYTES) / 8];
  static const sotto_ledger_memory memory = {words, sizeof words, CONFIG_SOTTO_REPORT_BYTES};
  static const int16_t samples[2][STUDY_FEATURES + 1] = {{900, -200, 10, 4, 7, -3, 0, 2, 800},
                                                         {-700, 90, 4, 9, -2, 6, 1, 3, -600}};
  static const sotto_local local = {.samples = {2, STUDY_FEATURES, &samples[0][0], STUDY_FEATURES + 1, NULL, NULL}};
  static uint64_t work[STUDY_WORK_BYTES / 8];
  static uint8_t report[STUDY_REPORT_BYTES];
  static sotto_ledger ledger;
  static sotto_session session;
  static sotto_flash flash;
  static const sotto_question* questions[SOTTO_ZEPHYR_QUESTIONS];
  static sotto_hooks hooks;
  sotto_status status;
  size_t used = 0, i;
  hooks.entropy = sotto_zephyr_entropy();
  hooks.questions = questions;
  hooks.question_count = sotto_zephyr_questions(questions);
  if (!sotto_zephyr_flash(&flash)) {
    printk("no partition sotto_partition that a ledger can use\n");
    return 0;
  }
  status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status == SOTTO_NO_LEDGER) /* the first start; any other refusal needs a person's attention */
    status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
  if (status != SOTTO_OK) return refused("ledger", status);
  if (!sotto_ledger_consent(&ledger) && owner_agrees()) {
    status = sotto_ledger_set_consent(&ledger, true);
    if (status != SOTTO_OK) return refused("consent", status);
  }
  status = sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &study_credential, &hooks);
  if (status != SOTTO_OK && status != SOTTO_STUDY_EXISTS) return refused("enrolment", status);
  status = sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
  if (status != SOTTO_OK) return refused("study", status);
  status = sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report,
                        &used);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  if (status != SOTTO_OK) return refused("round", status);
  for (i = 0; i < used; ++i) printk("%02x", report[i]);
  printk("\n");
  return 0;
}
