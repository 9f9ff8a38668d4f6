/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A firmware for a board: it answers one round from samples in flash and prints the report as hex. It runs in QEMU; for
 * a real board replace hooks.h, the samples and board_puts().
 *
 * study.h holds what the study's owner issued: manifest, round and this device's credential, with the sizes that they
 * need. `sotto study --header` writes it. */
#include "board.h"
#include "hooks.h"
#include "samples.h"
#include "sotto.h"
#include "study.h"

/* TO DO for a product: the owner's decision, from a switch, a menu or an app, which remembers a no. The emulated boards
 * have nothing to press: whoever starts the emulator is the owner. To withdraw consent call
 * sotto_ledger_set_consent(&ledger, false); this function must then return false. */
static bool owner_agrees(void) { return true; }

static int refused(const char* what, sotto_status status) {
  board_puts(what);
  board_puts(" refused: ");
  board_puts(sotto_status_text(status));
  board_puts("\n");
  return 1;
}

static void print_hex(const uint8_t* bytes, size_t size) {
  size_t i;
  for (i = 0; i < size; ++i) {
    board_putc("0123456789abcdef"[bytes[i] >> 4]);
    board_putc("0123456789abcdef"[bytes[i] & 15]);
  }
  board_puts("\n");
}

int main(void) {
  static const sotto_policy policy = {{UINT64_C(4000000000), 0},
                                      {UINT64_C(8000000000), 0}}; /* 4 nats a study, 8 in all */
  /* Hook 3: the samples, read in place. (A fourth hook, a lock, is for firmware with threads.) */
  static const sotto_local local = {
      .samples = {SAMPLE_ROWS, SAMPLE_FEATURES, &samples[0][0], SAMPLE_FEATURES + 1, 0, 0}};
  static sotto_ledger ledger;
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8]; /* one study */
  static const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  static sotto_session session;
  static uint64_t work[STUDY_WORK_BYTES / 8];
  static uint8_t report[STUDY_REPORT_BYTES];
  const sotto_question* questions[1];
  sotto_hooks hooks = {{0, entropy_ready, entropy_read}, questions, 1, 0, 0, 0, 0, 0, false};
  sotto_status status;
  size_t used = 0;
  questions[0] = STUDY_ROUND_1_QUESTION();

  flash_erase(0, 0); /* makes the memory look like blank flash; a real board never erases its ledger */
  flash_erase(0, 1);
  status = sotto_self_test(&hooks.entropy, &flash);
  if (status != SOTTO_OK) return refused("self-test", status);
  status = sotto_ledger_open(&ledger, &memory, &flash, 0);
  if (status == SOTTO_NO_LEDGER) /* the first start; any other refusal needs a person's attention */
    status = sotto_ledger_create(&ledger, &memory, &flash, 0, &policy, &hooks.entropy);
  if (status != SOTTO_OK) return refused("ledger", status);
  /* Consent survives reboots. It is asked for whenever it is off, not only after create: otherwise a power cut between
   * the two would leave a device that never asks again. */
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
  if (status != SOTTO_OK) return refused("round", status);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  print_hex(report, used);
  return 0;
}
