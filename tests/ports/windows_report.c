/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* The first report on Windows, as examples/first_report. */
#include <stdio.h>
#include <string.h>
#include <windows.h>

#include "sotto_windows.h"
#include "study.h"

static int refused(const char* what, sotto_status status) {
  fprintf(stderr, "%s: %s\n", what, sotto_status_text(status));
  return 1;
}

int main(int argc, char** argv) {
  const sotto_policy policy = {{UINT64_C(2000000000), 0}, {UINT64_C(4000000000), 0}};
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8], work[STUDY_WORK_BYTES / 8];
  const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  const sotto_question* const questions[] = {STUDY_ROUND_1_QUESTION()};
  const sotto_hooks hooks = {.entropy = sotto_windows_entropy(), .questions = questions, .question_count = 1};
  const sotto_local local = {.given = sotto_choose(5)};
  static sotto_ledger ledger;
  uint8_t report[STUDY_REPORT_BYTES];
  sotto_session* const session = sotto_windows_secret_memory(sizeof *session);
  sotto_windows_flash file;
  sotto_flash flash;
  sotto_status status;
  size_t used = 0, i;
  if (session == NULL || !sotto_windows_flash_open(&file, L"device.ledger", &flash)) {
    fprintf(stderr, "device.ledger: error %lu\n", GetLastError());
    return 3;
  }
  status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status == SOTTO_NO_LEDGER) status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
  if (status != SOTTO_OK) return refused("ledger", status);
  if (argc > 1) status = sotto_ledger_set_consent(&ledger, strcmp(argv[1], "agree") == 0);
  if (status != SOTTO_OK) return refused("consent", status);
  status = sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks);
  if (status != SOTTO_OK && status != SOTTO_STUDY_EXISTS) return refused("enrolment", status);
  status = sotto_session_open(session, study_manifest, sizeof study_manifest, &ledger, &hooks);
  if (status == SOTTO_OK)
    status = sotto_answer(session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report,
                          sizeof report, &used);
  sotto_session_close(session);
  sotto_ledger_close(&ledger);
  sotto_windows_secret_free(session, sizeof *session);
  sotto_windows_flash_close(&file);
  if (status != SOTTO_OK) return refused("round", status);
  for (i = 0; i < used; ++i) printf("%02x", report[i]);
  printf("\n");
  return 0;
}
