/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* C99: what a firmware does wrong, and what the library says. Objects in memory that was never zeroed, sessions of a ledger that
 * is gone, hooks that call back, studies that nobody vouches for. */
#include "sotto.h"
#include "study_bytes.h"
#include "unity.h"

#define SECTOR_BYTES 1024

static uint8_t memory[2 * SECTOR_BYTES];
static uint32_t random_state;
static sotto_ledger ledger;
static uint64_t ledger_words[SOTTO_LEDGER_MEMORY_BYTES(2, 34) / 8];
static const sotto_ledger_memory ledger_memory = {ledger_words, sizeof ledger_words, 34};
static sotto_session session;
static uint64_t work[32], other_work[32];
static uint8_t report[64], again[64];
static const sotto_local local = SOTTO_LOCAL_INIT;
static const sotto_credential credential = {42, {1, 2, 3}};
static void (*during_program)(void); /* called once, by the flash */

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  __builtin_memcpy(out, memory + address, bytes);
  return true;
}
static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  void (*const call)(void) = during_program;
  (void)context;
  during_program = NULL;
  if (call != NULL) call();
  __builtin_memcpy(memory + address, data, bytes);
  return true;
}
static bool flash_erase(void* context, uint32_t sector) {
  (void)context;
  __builtin_memset(memory + sector * SECTOR_BYTES, 0xff, SECTOR_BYTES);
  return true;
}
static bool flash_sync(void* context) {
  (void)context;
  return true;
}
static const sotto_flash flash = {NULL, flash_read, flash_program, flash_erase, flash_sync, SECTOR_BYTES, 2, 4, 0xff};

static bool entropy_ready(void* context) {
  (void)context;
  return true;
}
static bool entropy_read(void* context, uint8_t* out, size_t bytes) {
  size_t i;
  (void)context;
  for (i = 0; i < bytes; ++i) {
    random_state = random_state * 1664525u + 1013904223u;
    out[i] = (uint8_t)(random_state >> 24);
  }
  return true;
}

static const sotto_policy policy = {{UINT64_C(2000000000), 0}, {UINT64_C(4000000000), 0}};
static const sotto_question* questions[1];
static sotto_hooks hooks;

void setUp(void) {
  __builtin_memset(memory, 0xff, sizeof memory);
  random_state = 1;
  during_program = NULL;
  questions[0] = sotto_vote_given();
  __builtin_memset(&hooks, 0, sizeof hooks);
  hooks.entropy.ready = entropy_ready;
  hooks.entropy.read = entropy_read;
  hooks.questions = questions;
  hooks.question_count = 1;
}
void tearDown(void) {}

static void make_ledger(void) {
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, NULL, &policy, &hooks.entropy));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_set_consent(&ledger, true));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
}
static sotto_status open_session(void) {
  return sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
}
static sotto_status prepare(void) {
  return sotto_prepare(&session, study_round, sizeof study_round, &local, work, sizeof work);
}

static void every_call_of_a_session_is_refused_once_the_ledger_was_made_anew(void) {
  size_t used = 77;
  int anew;
  for (anew = 0; anew < 2; ++anew) {
    setUp();
    make_ledger();
    TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
    TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
    sotto_ledger_close(&ledger);
    if (anew == 0) { /* another ledger in the same memory, with the same study */
      __builtin_memset(memory, 0xff, sizeof memory);
      make_ledger();
    } else {
      TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL));
    }
    TEST_ASSERT_EQUAL_UINT8(SOTTO_STALE_SESSION, sotto_send(&session, report, sizeof report, &used));
    TEST_ASSERT_EQUAL_UINT8(SOTTO_STALE_SESSION, prepare());
    TEST_ASSERT_EQUAL_UINT8(SOTTO_STALE_SESSION, sotto_answer(&session, study_round, sizeof study_round, &local, work,
                                                              sizeof work, report, sizeof report, &used));
    TEST_ASSERT_EQUAL_UINT8(SOTTO_STALE_SESSION, sotto_acknowledge(&session, 1));
    TEST_ASSERT_EQUAL_UINT(77, used);
    TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == 0);
    sotto_session_close(&session);
    TEST_ASSERT_EACH_EQUAL_HEX8(0, work, SOTTO_VOTE_GIVEN_WORK_BYTES); /* closing wipes all the same */
    TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
    TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
    TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
    used = 77;
  }
}

static void objects_may_begin_in_memory_that_was_used_before(void) {
  size_t used = 0;
  __builtin_memset(&ledger, 0xa5, sizeof ledger);
  __builtin_memset(&session, 0xa5, sizeof session);
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
}

static sotto_status seen[6];
static void call_everything(void) {
  size_t used = 0;
  seen[0] = sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL);
  seen[1] = sotto_ledger_create(&ledger, &ledger_memory, &flash, NULL, &policy, &hooks.entropy);
  seen[2] = sotto_ledger_set_consent(&ledger, false);
  seen[3] = sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
  seen[4] = sotto_send(&session, again, sizeof again, &used);
  seen[5] = sotto_prepare(&session, study_round, sizeof study_round, &local, other_work, sizeof other_work);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
}

static void a_flash_hook_that_calls_back_is_refused(void) {
  size_t used = 0, used_again = 0, i;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  during_program = call_everything; /* while the charge is written */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
  for (i = 0; i < 6; ++i) TEST_ASSERT_EQUAL_UINT8(i < 3 ? SOTTO_BUSY : SOTTO_REENTERED, seen[i]);
  TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == UINT64_C(2000000000));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, again, sizeof again, &used_again));
  TEST_ASSERT_EQUAL_UINT(used, used_again);
  TEST_ASSERT_EQUAL_UINT8_ARRAY(report, again, used);
}

static bool told_consent;
static uint64_t told_epsilon;
static void ask_what_is_recorded(void) {
  told_consent = sotto_ledger_consent(&ledger);
  told_epsilon = sotto_ledger_spent(&ledger).epsilon;
}
static bool entropy_that_asks(void* context, uint8_t* out, size_t bytes) {
  ask_what_is_recorded();
  return entropy_read(context, out, bytes);
}

static void a_hook_is_told_nothing_while_the_image_may_be_any_bytes(void) {
  sotto_entropy asking = hooks.entropy;
  size_t used = 0;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  told_consent = true;
  told_epsilon = 1;
  during_program = ask_what_is_recorded;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
  TEST_ASSERT_FALSE(told_consent);
  TEST_ASSERT_TRUE(told_epsilon == 0);
  TEST_ASSERT_TRUE(sotto_ledger_consent(&ledger));
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  __builtin_memset(memory, 0xff, sizeof memory);
  asking.read = entropy_that_asks; /* a new ledger has no entries yet, not even their size */
  told_epsilon = 1;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_create(&ledger, &ledger_memory, &flash, NULL, &policy, &asking));
  TEST_ASSERT_TRUE(told_epsilon == 0);
}

static bool reject(void* context, const uint8_t* body, size_t body_bytes, const uint8_t* signature,
                   size_t signature_bytes) {
  ++*(uint32_t*)context;
  return body == NULL || body_bytes == 0 || (signature == NULL && signature_bytes != 0);
}

static void a_study_that_nobody_vouches_for_is_not_enrolled(void) {
  uint32_t asked = 0;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, NULL, &policy, &hooks.entropy));
  hooks.verify_context = &asked;
  hooks.verify = reject;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_BAD_SIGNATURE,
                          sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_BAD_SIGNATURE,
                          sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks));
  TEST_ASSERT_EQUAL_UINT32(2, asked);
  hooks.verify = NULL;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_UNKNOWN_STUDY, open_session()); /* neither was */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_NEEDS_CREDENTIAL,
                          sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_NEEDS_CREDENTIAL,
                          sotto_enrol(&ledger, study_manifest, sizeof study_manifest, NULL, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
}

static void a_report_over_the_work_space_is_refused(void) {
  size_t used = 0;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OVERLAPPING_BUFFERS, sotto_answer(&session, study_round, sizeof study_round, &local,
                                                                  work, sizeof work, (uint8_t*)work + 16, 64, &used));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OVERLAPPING_BUFFERS, sotto_send(&session, (uint8_t*)ledger_words, 64, &used));
  TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == 0);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
}

static void a_study_that_was_removed_does_not_come_back(void) {
  size_t used = 0;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_TRUNCATED, sotto_ledger_remove(&ledger, study_manifest, sizeof study_manifest - 1));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_remove(&ledger, study_manifest, sizeof study_manifest));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_UNKNOWN_STUDY, sotto_send(&session, report, sizeof report, &used));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_STUDY_REMOVED,
                          sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_STUDY_REMOVED, sotto_ledger_remove(&ledger, study_manifest, sizeof study_manifest));
  TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == UINT64_C(2000000000));
}

static void a_work_space_that_another_session_took_is_refused(void) {
  static sotto_session second;
  size_t used = 77;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&second, study_manifest, sizeof study_manifest, &ledger, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, prepare());
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_prepare(&second, study_round, sizeof study_round, &local, work, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_WORK_SPACE_LOST, sotto_send(&session, report, sizeof report, &used));
  TEST_ASSERT_EQUAL_UINT(77, used);
  TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == 0);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&second, report, sizeof report, &used));
  sotto_session_close(&second);
}

static void a_clock_without_the_librarys_part_is_refused(void) {
  sotto_clock clock = {NULL, NULL, NULL};
  make_ledger();
  hooks.clock = &clock;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_CLOCK_NOT_SET, open_session());
  TEST_ASSERT_NOT_EQUAL(SOTTO_OK, prepare());
  clock.check = sotto_clock_check;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, open_session());
}

int main(void) {
  UNITY_BEGIN();
  RUN_TEST(a_clock_without_the_librarys_part_is_refused);
  RUN_TEST(every_call_of_a_session_is_refused_once_the_ledger_was_made_anew);
  RUN_TEST(objects_may_begin_in_memory_that_was_used_before);
  RUN_TEST(a_flash_hook_that_calls_back_is_refused);
  RUN_TEST(a_hook_is_told_nothing_while_the_image_may_be_any_bytes);
  RUN_TEST(a_study_that_nobody_vouches_for_is_not_enrolled);
  RUN_TEST(a_report_over_the_work_space_is_refused);
  RUN_TEST(a_work_space_that_another_session_took_is_refused);
  RUN_TEST(a_study_that_was_removed_does_not_come_back);
  return UNITY_END();
}
