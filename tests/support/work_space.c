/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* work_space MANIFEST ROUND ROWS FEATURES: the least work space, in bytes, with which a device that holds so many rows in memory
 * answers the round. Nothing is sent: sotto_prepare() refuses a work space that is too short before it reads a sample. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sotto_posix.h"

enum { k_sector = 8192, k_sectors = 2, k_most = 65536 };
static uint8_t image[k_sectors * k_sector];

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  memcpy(out, image + address, bytes);
  return true;
}

static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  uint32_t i;
  (void)context;
  for (i = 0; i < bytes; ++i) image[address + i] &= data[i];
  return true;
}

static bool flash_erase(void* context, uint32_t sector) {
  (void)context;
  memset(image + (size_t)sector * k_sector, 0xff, k_sector);
  return true;
}

static bool flash_sync(void* context) {
  (void)context;
  return true;
}

static size_t read_file(const char* path, uint8_t* to, size_t room) {
  size_t size;
  FILE* file = fopen(path, "rb");
  if (file == NULL) exit(3);
  size = fread(to, 1, room, file);
  fclose(file);
  return size;
}

int main(int argc, char** argv) {
  static uint8_t manifest[65536], round[1024];
  static uint64_t work[k_most / 8];
  static int16_t rows[65536]; /* all zeros: the work space does not depend on what they say */
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, SOTTO_REPORT_BYTES_MAX) / 8];
  static sotto_ledger ledger;
  static sotto_session session;
  const sotto_flash flash = {NULL, flash_read, flash_program, flash_erase, flash_sync, k_sector, k_sectors, 4, 0xff};
  const sotto_policy policy = {{UINT64_C(12000000000), UINT64_MAX}, {UINT64_C(12000000000), UINT64_MAX}};
  const sotto_question* const questions[] = {
      sotto_vote(),      sotto_bin_cells(),    sotto_block(),  sotto_moments_fourier(),
      sotto_value(),     sotto_label_noisy(),  sotto_sketch(), sotto_synopsis(),
      sotto_direction(), sotto_update_noisy(), sotto_number(), sotto_top()};
  const sotto_hooks hooks = {.entropy = sotto_posix_entropy(),
                             .questions = questions,
                             .question_count = sizeof questions / sizeof questions[0]};
  const sotto_ledger_memory memory = {words, sizeof words, SOTTO_REPORT_BYTES_MAX};
  sotto_credential credential = {0, {0}};
  sotto_local local = SOTTO_LOCAL_INIT;
  sotto_status status = SOTTO_NOT_IN_COHORT;
  size_t manifest_bytes, round_bytes, enough = k_most, short_of = 0;
  if (argc != 5) return 2;
  manifest_bytes = read_file(argv[1], manifest, sizeof manifest);
  round_bytes = read_file(argv[2], round, sizeof round);
  local.samples.rows = (uint32_t)strtoul(argv[3], NULL, 10);
  local.samples.features = (uint32_t)strtoul(argv[4], NULL, 10);
  local.samples.stride = local.samples.features + 1;
  local.samples.mapped = rows;
  if ((uint64_t)local.samples.rows * local.samples.stride > sizeof rows / sizeof rows[0]) return 2;
  /* The first pseudonym whose cohort the round asks. */
  while (status == SOTTO_NOT_IN_COHORT && ++credential.pseudonym < 10000) {
    memset(image, 0xff, sizeof image);
    memset(&ledger, 0, sizeof ledger);
    memset(&session, 0, sizeof session);
    status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
    if (status == SOTTO_OK) status = sotto_ledger_set_consent(&ledger, true);
    if (status == SOTTO_OK) status = sotto_enrol(&ledger, manifest, manifest_bytes, &credential, &hooks);
    if (status == SOTTO_OK) status = sotto_session_open(&session, manifest, manifest_bytes, &ledger, &hooks);
    if (status == SOTTO_OK) status = sotto_prepare(&session, round, round_bytes, &local, work, sizeof work);
    if (status == SOTTO_NOT_IN_COHORT) {
      sotto_session_close(&session);
      sotto_ledger_close(&ledger);
    }
  }
  while (status == SOTTO_OK && enough - short_of > 8) {
    const size_t between = (enough + short_of) / 2 / 8 * 8;
    status = sotto_prepare(&session, round, round_bytes, &local, work, between);
    if (status == SOTTO_OK) {
      enough = between;
    } else if (status == SOTTO_SHORT_BUFFER) {
      short_of = between;
      status = SOTTO_OK;
    }
  }
  if (status != SOTTO_OK) {
    fprintf(stderr, "work_space: %s\n", sotto_status_text(status));
    return 1;
  }
  printf("%zu\n", enough);
  return 0;
}
