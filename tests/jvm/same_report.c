/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* same_report LEDGERS MANIFEST ROUND CREDENTIALS: the reports that Same.java gets, from the library through sotto.h, with the calls
 * that draw random bits in the same order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sotto_posix.h"

static size_t read_file(const char* path, uint8_t* to, size_t room) {
  FILE* const file = fopen(path, "rb");
  size_t size;
  if (file == NULL) exit(3);
  size = fread(to, 1, room, file);
  fclose(file);
  return size;
}

/* One device: a new ledger, and its vote for feature 3. */
static int answer(const char* path, const uint8_t* manifest, size_t manifest_bytes, const uint8_t* round,
                  size_t round_bytes, const sotto_credential* credential) {
  static uint8_t report[SOTTO_REPORT_BYTES_MAX];
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(14, SOTTO_REPORT_BYTES_MAX) / 8], work[512];
  static sotto_ledger ledger;
  static sotto_session session;
  const sotto_ledger_memory memory = {words, sizeof words, SOTTO_REPORT_BYTES_MAX};
  const sotto_policy policy = {{UINT64_C(4000000000), 0}, {UINT64_C(8000000000), 0}};
  const sotto_question* const questions[] = {sotto_vote()};
  const sotto_hooks hooks = {.entropy = sotto_posix_entropy(), .questions = questions, .question_count = 1};
  const sotto_local local = {.given = sotto_choose(3)};
  sotto_posix_flash file;
  sotto_flash flash;
  size_t used = 0, i;
  if (!sotto_posix_flash_open(&file, path, &flash)) return 3;
  if (sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy) != SOTTO_OK) return 4;
  if (sotto_ledger_set_consent(&ledger, true) != SOTTO_OK) return 5;
  if (sotto_enrol(&ledger, manifest, manifest_bytes, credential, &hooks) != SOTTO_OK) return 6;
  if (sotto_session_open(&session, manifest, manifest_bytes, &ledger, &hooks) != SOTTO_OK) return 7;
  if (sotto_answer(&session, round, round_bytes, &local, work, sizeof work, report, sizeof report, &used) != SOTTO_OK)
    return 8;
  for (i = 0; i < used; ++i) printf("%02x", report[i]);
  printf("\n");
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  sotto_posix_flash_close(&file);
  return 0;
}

int main(int argc, char** argv) {
  static uint8_t manifest[65536], round[1024];
  size_t manifest_bytes, round_bytes, i;
  FILE* issued;
  char line[256], path[4096], key[65];
  int device = 0, status = 0;
  if (argc != 5) return 2;
  manifest_bytes = read_file(argv[2], manifest, sizeof manifest);
  round_bytes = read_file(argv[3], round, sizeof round);
  issued = fopen(argv[4], "r");
  if (issued == NULL || fgets(line, sizeof line, issued) == NULL) return 3;
  while (status == 0 && fgets(line, sizeof line, issued) != NULL) {
    sotto_credential credential;
    unsigned long long pseudonym;
    if (sscanf(line, ",%llx,%64[0-9a-f]", &pseudonym, key) != 2) return 3;
    credential.pseudonym = pseudonym;
    for (i = 0; i < sizeof credential.key; ++i) {
      const char digits[3] = {key[2 * i], key[2 * i + 1], 0};
      credential.key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    snprintf(path, sizeof path, "%s%d", argv[1], ++device);
    status = answer(path, manifest, manifest_bytes, round, round_bytes, &credential);
  }
  fclose(issued);
  return status;
}
