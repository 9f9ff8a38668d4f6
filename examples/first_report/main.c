/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include <stdio.h>
#include <string.h>

#include "sotto_posix.h"
#include "study.h" /* the study's manifest, its first round and sizes, made by `sotto study --header` */

#define TRY(call)                                                    \
  do {                                                               \
    const sotto_status status = (call);                              \
    if (status != SOTTO_OK) {                                        \
      fprintf(stderr, "%s: %s\n", #call, sotto_status_text(status)); \
      return 1;                                                      \
    }                                                                \
  } while (0)

/* first_report [agree | withdraw] */
int main(int argc, char** argv) {
  /* Two hooks: entropy and flash. Here the operating system's and a file; device/ports has others. There is no default. */
  const sotto_entropy entropy = sotto_posix_entropy();
  sotto_posix_flash file;
  sotto_flash flash;
  if (!sotto_posix_flash_open(&file, "device.ledger", &flash)) {
    perror("device.ledger");
    return 3;
  }

  /* Once for each installation: the most that it ever spends. */
  const sotto_policy policy = {.per_study = {.epsilon = UINT64_C(2000000000)},
                               .total = {.epsilon = UINT64_C(4000000000)}};
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8]; /* one study */
  const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  static sotto_ledger ledger;
  sotto_status opened = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (opened == SOTTO_NO_LEDGER) /* the first start, and no other refusal */
    opened = sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &entropy);
  TRY(opened);

  /* Consent is the owner's act, whenever it comes: off in a new ledger, then kept through reboots. A start grants nothing, or it would undo a
   * withdrawal; neither does creating the ledger, or a power cut behind it would leave a device that nobody asks again. A product with a
   * screen asks while sotto_ledger_consent() is false, and remembers a no itself. */
  if (argc > 1) TRY(sotto_ledger_set_consent(&ledger, strcmp(argv[1], "agree") == 0));
  if (!sotto_ledger_consent(&ledger)) {
    fprintf(stderr, "the owner has not agreed: start it once with the word agree\n");
    return 1;
  }

  /* What this firmware answers, here sotto_vote_given(); other questions are not linked. */
  const sotto_question* const questions[] = {STUDY_ROUND_1_QUESTION()};
  const sotto_hooks hooks = {.entropy = entropy, .questions = questions, .question_count = 1};
  const sotto_status enrolled = sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks);
  if (enrolled != SOTTO_STUDY_EXISTS) TRY(enrolled);
  static sotto_session session;
  TRY(sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));

  const sotto_local local = {.given = sotto_choose(5)}; /* stays here */
  static uint64_t work[STUDY_WORK_BYTES / 8];
  uint8_t report[STUDY_REPORT_BYTES];
  size_t used = 0;
  TRY(sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report,
                   &used));
  for (size_t i = 0; i < used; ++i) printf("%02x", report[i]); /* all that leaves the device */
  printf("\n");
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  sotto_posix_flash_close(&file);
  return 0;
}
