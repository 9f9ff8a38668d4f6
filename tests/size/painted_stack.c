/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* How deep the stack gets in the calls of sotto.h, from blank flash to a sealed vote: the memory below the caller's frame is painted,
 * and after the call its lowest changed word is looked for. The hooks' frames are in the numbers; they are as small as hooks can be. */
#include "board.h"
#include "sotto.h"
#include "study_bytes.h"

enum { SECTOR_BYTES = 1024, PAINTED_BYTES = 3072, PAINT = 0x5a };

static uint8_t sectors[2 * SECTOR_BYTES];
static uint32_t random_state = 1;
static sotto_ledger ledger;
static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, SOTTO_VOTE_REPORT_BYTES) / 8];
static const sotto_ledger_memory memory = {words, sizeof words, SOTTO_VOTE_REPORT_BYTES};
static const sotto_policy policy = {{UINT64_C(2000000000), 0}, {UINT64_C(4000000000), 0}};
static const sotto_credential credential = {42, {1, 2, 3}};
static const sotto_local local = SOTTO_LOCAL_INIT;
static sotto_session session;
static uint64_t work[SOTTO_VOTE_GIVEN_WORK_BYTES / 8];
static uint8_t report[SOTTO_VOTE_REPORT_BYTES];
static size_t used;

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  while (bytes-- != 0) *out++ = sectors[address++];
  return true;
}
static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
  while (bytes-- != 0) sectors[address++] = *data++;
  return true;
}
static bool flash_erase(void* context, uint32_t sector) {
  uint32_t i;
  (void)context;
  for (i = 0; i < SECTOR_BYTES; ++i) sectors[sector * SECTOR_BYTES + i] = 0xff;
  return true;
}
static bool flash_sync(void* context) {
  (void)context;
  return true;
}
static bool entropy_ready(void* context) {
  (void)context;
  return true;
}
static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  while (bytes-- != 0) {
    random_state = random_state * 1664525u + 1013904223u;
    *out++ = (uint8_t)(random_state >> 24);
  }
  return true;
}
static const sotto_flash flash = {NULL, flash_read, flash_program, flash_erase, flash_sync, SECTOR_BYTES, 2, 4, 0xff};
static const sotto_question* questions[1];
static sotto_hooks hooks;

static sotto_status create(void) {
  return sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
}
static sotto_status open(void) { return sotto_ledger_open(&ledger, &memory, &flash, NULL); }
static sotto_status consent(void) { return sotto_ledger_set_consent(&ledger, true); }
static sotto_status enrol(void) {
  return sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks);
}
static sotto_status open_session(void) {
  return sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
}
static sotto_status answer(void) {
  return sotto_answer(&session, study_round, sizeof study_round, &local, work, sizeof work, report, sizeof report,
                      &used);
}
static sotto_status nothing(void) { return SOTTO_OK; }
static sotto_status acknowledge(void) { return sotto_acknowledge(&session, 1); }

/* The painted bytes lie in this frame, which is gone, and thus free, when the call is made. */
__attribute__((noinline)) static const volatile uint8_t* paint(void) {
  volatile uint8_t below[PAINTED_BYTES];
  const volatile uint8_t* volatile lowest = below;
  uint32_t i;
  for (i = 0; i < PAINTED_BYTES; ++i) below[i] = PAINT;
  return lowest;
}

/* The deepest changed byte below this frame; 0 if the call was refused, or went deeper than what was painted. */
__attribute__((noinline)) static uint32_t depth_of(sotto_status (*volatile call)(void)) {
  const volatile uint8_t* const lowest = paint();
  const sotto_status status = call();
  const volatile uint8_t* const frame = __builtin_frame_address(0);
  const volatile uint8_t* changed = lowest;
  while (changed < frame && *changed == PAINT) ++changed;
  return status != SOTTO_OK || changed == lowest ? 0 : (uint32_t)(frame - changed);
}

static void print(const char* name, uint32_t bytes) {
  board_puts("count ");
  board_puts(name);
  board_puts(" ");
  board_put_u32(bytes);
  board_puts(" ");
  board_put_u32(bytes);
  board_puts("\n");
}

/* Returns 0 if the call did what it should. What a call of nothing takes is not counted. */
static int measure(const char* name, sotto_status (*call)(void)) {
  const uint32_t all = depth_of(call), own = depth_of(nothing);
  if (all <= own) return 1;
  print(name, all - own);
  return 0;
}

int main(void) {
  int failed = 0;
  questions[0] = sotto_vote_given();
  hooks.entropy.ready = entropy_ready;
  hooks.entropy.read = entropy_read;
  hooks.questions = questions;
  hooks.question_count = 1;
  flash_erase(NULL, 0);
  flash_erase(NULL, 1);
  failed |= measure("ledger_create", create);
  failed |= measure("ledger_open", open);
  failed |= measure("set_consent", consent);
  failed |= measure("enrol", enrol);
  failed |= measure("session_open", open_session);
  failed |= measure("answer", answer);
  failed |= measure("acknowledge", acknowledge);
  print("caller_ram", sizeof ledger + sizeof words + sizeof session + sizeof work + sizeof report);
  return failed;
}
