/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A Linux device that answers only what one key signed: signed_device HOOK PUBLIC_KEY LEDGER MANIFEST ROUND ANSWER
 *
 * HOOK is `sotto` or `libsodium`, PUBLIC_KEY the file of `sotto keygen`. The report goes to stdout as hex; a refusal to stderr by its name, and
 * after it how many nats the ledger has on record. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sotto_posix.h"
#include "sotto_verify.h"

static const sotto_policy k_policy = {{UINT64_C(8000000000), 0}, {UINT64_C(8000000000), 0}};

static size_t read_whole(const char* path, uint8_t* to, size_t room) {
  FILE* file = fopen(path, "rb");
  size_t size;
  if (file == NULL) exit(3);
  size = fread(to, 1, room, file);
  fclose(file);
  return size;
}

static void read_key(const char* path, uint8_t key[SOTTO_PUBLIC_KEY_BYTES]) {
  uint8_t digits[2 * SOTTO_PUBLIC_KEY_BYTES + 1];
  size_t i;
  unsigned byte = 0;
  if (read_whole(path, digits, sizeof digits) != sizeof digits) exit(3);
  for (i = 0; i < SOTTO_PUBLIC_KEY_BYTES; ++i) {
    if (sscanf((const char*)digits + 2 * i, "%2x", &byte) != 1) exit(3);
    key[i] = (uint8_t)byte;
  }
}

int main(int argc, char** argv) {
  static uint8_t manifest[65536], round_bytes[1024], report[SOTTO_REPORT_BYTES_MAX], key[SOTTO_PUBLIC_KEY_BYTES];
  static uint64_t work[64], words[SOTTO_LEDGER_MEMORY_BYTES(4, 64) / 8];
  const sotto_ledger_memory memory = {words, sizeof words, 64};
  const sotto_question* const questions[] = {sotto_vote_given()};
  sotto_posix_flash file;
  sotto_flash flash;
  sotto_ledger ledger;
  sotto_session session;
  sotto_hooks hooks;
  sotto_local local;
  sotto_status status;
  size_t manifest_size, round_size, used = 0, i;
  if (argc != 7 || sodium_init() < 0) return 2;
  read_key(argv[2], key);
  manifest_size = read_whole(argv[4], manifest, sizeof manifest);
  round_size = read_whole(argv[5], round_bytes, sizeof round_bytes);
  memset(&hooks, 0, sizeof hooks);
  memset(&local, 0, sizeof local);
  local.given = sotto_choose((uint32_t)strtoul(argv[6], NULL, 10));
  hooks.entropy = sotto_posix_entropy();
  hooks.questions = questions;
  hooks.question_count = 1;
  hooks.verify = strcmp(argv[1], "sotto") == 0 ? sotto_ed25519_verify : sotto_verify_libsodium;
  hooks.verify_context = key;
  if (!sotto_posix_flash_open(&file, argv[3], &flash)) return 3;

  status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status == SOTTO_NO_LEDGER)
    status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &k_policy, &hooks.entropy);
  if (status == SOTTO_OK) status = sotto_ledger_set_consent(&ledger, true);
  if (status == SOTTO_OK) status = sotto_session_open(&session, manifest, manifest_size, &ledger, &hooks);
  if (status == SOTTO_UNKNOWN_STUDY) {
    status = sotto_enrol_plain(&ledger, manifest, manifest_size, &hooks);
    if (status == SOTTO_OK) status = sotto_session_open(&session, manifest, manifest_size, &ledger, &hooks);
  }
  if (status == SOTTO_OK) {
    status = sotto_answer(&session, round_bytes, round_size, &local, work, sizeof work, report, sizeof report, &used);
    sotto_session_close(&session);
  }
  if (status != SOTTO_OK)
    fprintf(stderr, "%s %u\n", sotto_status_text(status), (unsigned)(sotto_ledger_spent(&ledger).epsilon / 1000000000));
  sotto_ledger_close(&ledger);
  sotto_posix_flash_close(&file);
  if (status != SOTTO_OK) return 1;
  for (i = 0; i < used; ++i) printf("%02x", report[i]);
  printf("\n");
  return 0;
}
