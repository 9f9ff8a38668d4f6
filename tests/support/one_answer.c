/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A Linux device that answers one round of a study, for tests of many processes: one_answer LEDGER MANIFEST ROUND PSEUDONYM KEY ANSWER
 *
 * LEDGER is this device's file; it is created at the first start. The owner consents when a study is joined, which is
 * at its first round here. PSEUDONYM and KEY (16 and 64 hex digits) come from `sotto enrol`; both are "-" for a study
 * without credentials. ANSWER is the device's own answer: the number of a feature, or "none"; or @FILE for rounds that
 * compute on readings. FILE has one row on each line: whole numbers separated by commas, one for each feature and the
 * target last, in the units of the study; in any unit, from -32767 to 32767, where devices use their own. The report, which is all that leaves the device, is written to stdout as hex.
 * Running the program again prints the same bytes. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sotto_posix.h"

static const sotto_policy k_policy = {{UINT64_C(4000000000), 0},
                                      {UINT64_C(8000000000), 0}}; /* 4 nats a study, 8 in all */

static int refused(const char* what, sotto_status status) {
  fprintf(stderr, "one_answer: %s: %s\n", what, sotto_status_text(status));
  return 1;
}

static size_t read_file(const char* path, uint8_t* to, size_t room) {
  FILE* file = fopen(path, "rb");
  size_t size;
  if (file == NULL) {
    fprintf(stderr, "one_answer: %s: %s\n", path, strerror(errno));
    exit(3);
  }
  size = fread(to, 1, room, file);
  fclose(file);
  return size;
}

static bool read_credential(const char* pseudonym, const char* key, sotto_credential* out) {
  size_t i;
  char* end = NULL;
  out->pseudonym = strtoull(pseudonym, &end, 16);
  if (*end != '\0' || out->pseudonym == 0 || strlen(key) != 64) return false;
  for (i = 0; i < 32; ++i) {
    unsigned byte;
    if (sscanf(key + 2 * i, "%2x", &byte) != 1) return false;
    out->key[i] = (uint8_t)byte;
  }
  return true;
}

/* The samples of this device: Q15, or its readings as they are. */
static int16_t rows[65536];

/* Reads the readings of a file and converts them by the offsets and scales of the study, if it has any. */
static bool read_rows(const char* path, const sotto_session* session, sotto_samples* out) {
  const size_t room = sizeof rows / sizeof rows[0];
  size_t held = 0, column = 0, columns = 0;
  FILE* file = fopen(path, "r");
  long reading;
  char after = 0;
  bool whole = file != NULL;
  if (file == NULL) fprintf(stderr, "one_answer: %s: %s\n", path, strerror(errno));
  while (whole && held < room && fscanf(file, "%ld", &reading) == 1) {
    whole = reading >= INT32_MIN && reading <= INT32_MAX;
    rows[held++] = sotto_reading(session, (uint32_t)column++, (int32_t)reading);
    if (fscanf(file, "%c", &after) == 1 && after == ',') continue;
    if (columns == 0) columns = column;
    whole = whole && column == columns;
    column = 0;
  }
  whole = whole && feof(file) && columns > 1 && column == 0;
  if (file != NULL && !whole)
    fprintf(stderr, "one_answer: %s: after %zu numbers: not a table of whole numbers\n", path, held);
  if (file != NULL) fclose(file);
  out->rows = columns == 0 ? 0 : (uint32_t)(held / columns);
  out->features = columns == 0 ? 0 : (uint32_t)columns - 1;
  out->mapped = rows;
  out->stride = (uint32_t)columns;
  return whole;
}

int main(int argc, char** argv) {
  static uint8_t manifest[65536], round[1024], report[SOTTO_REPORT_BYTES_MAX];
  static uint64_t work[8192]; /* enough for every selector and for least squares on 32 variables */
  sotto_posix_flash file;
  sotto_flash flash;
  static sotto_ledger ledger;
  sotto_ledger_memory memory = {NULL, SOTTO_LEDGER_MEMORY_BYTES(14, SOTTO_REPORT_BYTES_MAX), SOTTO_REPORT_BYTES_MAX};
  sotto_session* session;
  sotto_status status;
  size_t manifest_bytes, round_bytes, used = 0, i;
  if (argc != 7) {
    fprintf(stderr, "usage: one_answer LEDGER MANIFEST ROUND PSEUDONYM KEY ANSWER\n");
    return 2;
  }
  manifest_bytes = read_file(argv[2], manifest, sizeof manifest);
  round_bytes = read_file(argv[3], round, sizeof round);
  if (!sotto_posix_flash_open(&file, argv[1], &flash)) {
    fprintf(stderr, "one_answer: %s: %s\n", argv[1], strerror(errno));
    return 3;
  }
  session = sotto_posix_secret_memory(sizeof *session);
  memory.words = sotto_posix_secret_memory(memory.bytes);
  if (session == NULL || memory.words == NULL) return 3;

  const sotto_entropy entropy = sotto_posix_entropy();
  status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status == SOTTO_NO_LEDGER) {
    /* The first start of this installation. Any other refusal needs a person's attention. */
    status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &k_policy, &entropy);
  }
  if (status != SOTTO_OK) return refused("the ledger", status);

  /* A small firmware lists the questions that its studies ask; here there is room for all. */
  const sotto_question* const questions[] = {
      sotto_vote(),      sotto_bin_cells(),    sotto_block(),  sotto_moments_fourier(),
      sotto_value(),     sotto_label_noisy(),  sotto_sketch(), sotto_synopsis(),
      sotto_direction(), sotto_update_noisy(), sotto_number(), sotto_top()};
  const sotto_hooks hooks = {
      .entropy = entropy, .questions = questions, .question_count = sizeof questions / sizeof questions[0]};
  status = sotto_session_open(session, manifest, manifest_bytes, &ledger, &hooks);
  if (status == SOTTO_UNKNOWN_STUDY) {
    sotto_credential credential;
    const bool plain = strcmp(argv[4], "-") == 0;
    if (!plain && !read_credential(argv[4], argv[5], &credential)) {
      fprintf(stderr, "one_answer: PSEUDONYM has 16 hex digits, KEY 64\n");
      return 2;
    }
    /* Consent is an act of the owner, who joins the study by starting this example with it. Later starts do not renew
     * it, which would undo a withdrawal. Consent comes before the enrolment: after a power cut between the two the
     * study is not joined yet, and the next start does both. In the other order the device would know the study and
     * never answer. */
    status = sotto_ledger_set_consent(&ledger, true);
    if (status != SOTTO_OK) return refused("consent", status);
    status = plain ? sotto_enrol_plain(&ledger, manifest, manifest_bytes, &hooks)
                   : sotto_enrol(&ledger, manifest, manifest_bytes, &credential, &hooks);
    if (status == SOTTO_OK) status = sotto_session_open(session, manifest, manifest_bytes, &ledger, &hooks);
  }
  if (status != SOTTO_OK) return refused("the study", status);

  sotto_local local = SOTTO_LOCAL_INIT;
  if (argv[6][0] == '@') {
    /* A bad or empty file counts as no rows and is answered: whether a report is sent must not depend on the data. */
    if (!read_rows(argv[6] + 1, session, &local.samples)) local.samples.rows = 0;
  } else if (argv[6][0] == '=') {
    local.item = (const uint8_t*)argv[6] + 1;
    local.item_bytes = (uint32_t)strlen(argv[6] + 1);
  } else if (strcmp(argv[6], "none") != 0) {
    local.given = sotto_choose((uint32_t)strtoul(argv[6], NULL, 10));
  }
  status = sotto_answer(session, round, round_bytes, &local, work, sizeof work, report, sizeof report, &used);
  sotto_session_close(session);
  sotto_ledger_close(&ledger);
  sotto_posix_secret_free(session, sizeof *session);
  sotto_posix_secret_free(memory.words, memory.bytes);
  sotto_posix_flash_close(&file);
  if (status != SOTTO_OK) return refused("the round", status);
  for (i = 0; i < used; ++i) printf("%02x", report[i]);
  printf("\n");
  return 0;
}
