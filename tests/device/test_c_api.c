/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* C99: a firmware's whole way from a blank flash to a report, with the study of study_bytes.h. */
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
static uint64_t work[32];
static uint8_t report[64], again[64];

static bool flash_read(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  __builtin_memcpy(out, memory + address, bytes);
  return true;
}
static bool flash_program(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
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
static const sotto_entropy entropy = {NULL, entropy_ready, entropy_read};

static const sotto_policy policy = {{UINT64_C(2000000000), 0}, {UINT64_C(4000000000), 0}};
static const sotto_question* questions[1];
static sotto_hooks hooks;

void setUp(void) {
  __builtin_memset(memory, 0xff, sizeof memory);
  random_state = 1;
  questions[0] = sotto_vote_given();
  __builtin_memset(&hooks, 0, sizeof hooks);
  hooks.entropy = entropy;
  hooks.questions = questions;
  hooks.question_count = 1;
}
void tearDown(void) {}

static void make_ledger(void) {
  TEST_ASSERT_EQUAL_UINT8(SOTTO_NO_LEDGER, sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_create(&ledger, &ledger_memory, &flash, NULL, &policy, &entropy));
  TEST_ASSERT_FALSE(sotto_ledger_consent(&ledger));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_set_consent(&ledger, true));
  TEST_ASSERT_TRUE(sotto_ledger_consent(&ledger));
}

static void a_firmware_in_c_answers_and_answers_the_same_after_a_reboot(void) {
  const sotto_local local = {.given = sotto_choose(3)};
  const sotto_credential credential = {42, {1, 2, 3}};
  size_t used = 0, used_again = 0;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_STUDY_EXISTS,
                          sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_prepare(&session, study_round, sizeof study_round, &local, work, sizeof work));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_send(&session, report, sizeof report, &used));
  TEST_ASSERT_EQUAL_UINT(33, used);
  TEST_ASSERT_TRUE(sotto_ledger_spent(&ledger).epsilon == UINT64_C(2000000000));
  sotto_session_close(&session);

  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_answer(&session, study_round, sizeof study_round, &local, work, sizeof work,
                                                 again, sizeof again, &used_again));
  TEST_ASSERT_EQUAL_UINT(used, used_again);
  TEST_ASSERT_EQUAL_UINT8_ARRAY(report, again, used);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_acknowledge(&session, 1));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_ALREADY_ANSWERED, sotto_acknowledge(&session, 1));
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  TEST_ASSERT_EACH_EQUAL_HEX8(0, ledger_words, sizeof ledger_words);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_NO_LEDGER, sotto_ledger_set_consent(&ledger, true));
}

static void readings_follow_the_manifests_scale(void) {
  const sotto_credential credential = {42, {1, 2, 3}};
  make_ledger();
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));
  TEST_ASSERT_EQUAL_INT16(1234, sotto_reading(&session, 0, 1234));
  TEST_ASSERT_EQUAL_INT16(32767, sotto_reading(&session, 8, 40000));
  TEST_ASSERT_EQUAL_UINT32(sotto_slot(&session, 1), sotto_slot(&session, 1));
  TEST_ASSERT_TRUE(sotto_slot(&session, 1) != sotto_slot(&session, 2));
  /* What a refused manifest said of itself means nothing. */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_TRUNCATED,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest - 1, &ledger, &hooks));
  TEST_ASSERT_EQUAL_INT16(0, sotto_reading(&session, 0, 1234));
}

static void the_self_test_passes_and_finds_faults(void) {
  sotto_entropy broken = entropy;
  sotto_flash no_flash = flash;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_self_test(&entropy, &flash));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_NO_LEDGER,
                          sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL)); /* it left nothing behind */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_self_test(&entropy, NULL));
  broken.ready = NULL;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_ENTROPY_NOT_READY, sotto_self_test(&broken, NULL));
  no_flash.program_unit = 3;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_FLASH_GEOMETRY, sotto_self_test(&entropy, &no_flash));
  make_ledger(); /* a ledger is never touched */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_EXISTS, sotto_self_test(&entropy, &flash));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL));
}

static bool counter_read(void* context, uint32_t* value) {
  *value = *(const uint32_t*)context;
  return true;
}
static bool counter_advance(void* context, uint32_t value) {
  *(uint32_t*)context = value;
  return true;
}

static void a_counter_follows_the_ledger(void) {
  uint32_t value = 7;
  sotto_counter counter = {&value, counter_read, counter_advance, NULL};
  const sotto_ledger_hooks with_counter = {NULL, &counter, NULL, sotto_ledger_protect};
  sotto_ledger_memory odd = ledger_memory;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_COUNTER_FAULT,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, &with_counter, &policy, &entropy));
  counter.settle = sotto_counter_settle;
  odd.report_bytes = 1025;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_BAD_REPORT_SIZE,
                          sotto_ledger_create(&ledger, &odd, &flash, &with_counter, &policy, &entropy));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, &with_counter, &policy, &entropy));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_set_consent(&ledger, true));
  TEST_ASSERT_EQUAL_UINT32(9, value); /* create and consent */
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_open(&ledger, &ledger_memory, &flash, &with_counter));
  TEST_ASSERT_EQUAL_UINT32(10, value);
  value = 11;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_ROLLED_BACK, sotto_ledger_open(&ledger, &ledger_memory, &flash, &with_counter));
}

/* Without the library's part a lock, a counter and a key would protect nothing. */
static void protections_without_their_part_of_the_library_are_refused(void) {
  uint32_t value = 7;
  const sotto_counter counter = {&value, counter_read, counter_advance, sotto_counter_settle};
  const sotto_ledger_hooks nobody = {NULL, &counter, NULL, NULL};
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_FOREIGN,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, &nobody, &policy, &entropy));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_FOREIGN, sotto_ledger_open(&ledger, &ledger_memory, &flash, &nobody));
  TEST_ASSERT_EQUAL_UINT32(7, value);
}

/* Whatever the memory held before: the objects need no initialisation. */
static void objects_begin_in_memory_of_any_content(void) {
  const sotto_credential credential = {42, {1, 2, 3}};
  __builtin_memset(&ledger, 0xa5, sizeof ledger);
  make_ledger();
  TEST_ASSERT_TRUE(sotto_ledger_consent(&ledger));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  __builtin_memset(&session, 0xa5, sizeof session);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));
  sotto_session_close(&session);
}

/* Not a good code: it is enough that another key gives another one. */
static bool code_of(void* context, const uint8_t* bytes, size_t count, uint8_t out[32]) {
  uint32_t sum = *(const uint32_t*)context;
  size_t i;
  for (i = 0; i < count; ++i) sum = (sum ^ bytes[i]) * 16777619u;
  for (i = 0; i < 32; ++i) out[i] = (uint8_t)(sum >> (i % 4 * 8));
  return true;
}

static void a_key_vouches_for_the_ledger(void) {
  uint32_t secret = 5;
  sotto_image_key key = {&secret, code_of, NULL};
  const sotto_ledger_hooks with_key = {NULL, NULL, &key, sotto_ledger_protect};
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_FOREIGN,
                          sotto_ledger_create(&ledger, &ledger_memory, &flash, &with_key, &policy, &entropy));
  key.tag = sotto_image_tag;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_create(&ledger, &ledger_memory, &flash, &with_key, &policy, &entropy));
  sotto_ledger_close(&ledger);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_FOREIGN, sotto_ledger_open(&ledger, &ledger_memory, &flash, NULL));
  secret = 6;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_LEDGER_CORRUPT, sotto_ledger_open(&ledger, &ledger_memory, &flash, &with_key));
  secret = 5;
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_ledger_open(&ledger, &ledger_memory, &flash, &with_key));
  sotto_ledger_close(&ledger);
}

static void words_and_versions(void) {
  TEST_ASSERT_EQUAL_STRING("ok", sotto_status_text(SOTTO_OK));
  TEST_ASSERT_EQUAL_STRING("over_total_cap", sotto_status_text(SOTTO_OVER_TOTAL_CAP));
  TEST_ASSERT_EQUAL_STRING("spent_unsent", sotto_status_text(SOTTO_SPENT_UNSENT));
  TEST_ASSERT_EQUAL_STRING("unknown", sotto_status_text((sotto_status)63));
  TEST_ASSERT_EQUAL_UINT32(SOTTO_VERSION, sotto_version());
  TEST_ASSERT_EQUAL_UINT32(1, sotto_wire_version());
  TEST_ASSERT_EQUAL_UINT32(2, sotto_ledger_version());
}

/* A number has a name exactly if it has an action of its own: whoever adds a status adds both. */
static void every_status_has_a_name_and_an_action(void) {
  static const sotto_action k_usual[] = {SOTTO_DONE, SOTTO_TRY_LATER, SOTTO_OPEN_AGAIN, SOTTO_DROP_ROUND,
                                         SOTTO_DROP_STUDY};
  int number, known = 0, fatal = 0;
  for (number = 0; number < 64; ++number) {
    const sotto_status status = (sotto_status)number;
    const bool named =
        sotto_status_text(status)[0] != 'u' || sotto_status_text(status)[2] != 'k' || number == SOTTO_UNKNOWN_STUDY;
    const sotto_action action = sotto_action_of(status);
    size_t i, usual = 0;
    for (i = 0; i < sizeof k_usual / sizeof k_usual[0]; ++i) usual += action == k_usual[i];
    TEST_ASSERT_TRUE(named || action == SOTTO_FATAL);
    TEST_ASSERT_EQUAL_UINT(action == SOTTO_FATAL ? 0 : 1, usual);
    known += named;
    fatal += named && action == SOTTO_FATAL;
  }
  TEST_ASSERT_EQUAL_INT(56, known);
  TEST_ASSERT_EQUAL_INT(14, fatal);
  TEST_ASSERT_EQUAL_INT(SOTTO_DONE, sotto_action_of(SOTTO_OK));
  TEST_ASSERT_EQUAL_INT(SOTTO_TRY_LATER, sotto_action_of(SOTTO_CONSENT_OFF));
  TEST_ASSERT_EQUAL_INT(SOTTO_OPEN_AGAIN, sotto_action_of(SOTTO_FLASH_FAULT));
  TEST_ASSERT_EQUAL_INT(SOTTO_DROP_ROUND, sotto_action_of(SOTTO_SPENT_UNSENT));
  TEST_ASSERT_EQUAL_INT(SOTTO_DROP_STUDY, sotto_action_of(SOTTO_OVER_ANSWERS));
}

static void a_firmware_asks_about_a_round_before_it_answers(void) {
  const sotto_local local = SOTTO_LOCAL_INIT;
  const sotto_credential credential = {42, {1, 2, 3}};
  size_t used = 0, needed = 0;
  sotto_round info;
  make_ledger();
  TEST_ASSERT_EQUAL_UINT(33, sotto_report_bytes(study_manifest, sizeof study_manifest));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &credential, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK,
                          sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_round_info(&session, study_round, sizeof study_round, &info));
  TEST_ASSERT_EQUAL_UINT16(1, info.number);
  TEST_ASSERT_EQUAL_UINT8(1, info.question);
  TEST_ASSERT_EQUAL_UINT8(255, info.cohort);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_ROUND_FREE, info.state);
  TEST_ASSERT_TRUE(info.is_for_this_device);
  TEST_ASSERT_TRUE(info.opens == 0 && info.closes == 0 && info.send_at == 0);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_work_bytes(&session, study_round, sizeof study_round, true, &needed));
  TEST_ASSERT_LESS_OR_EQUAL_UINT(SOTTO_VOTE_GIVEN_WORK_BYTES, needed);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_answer(&session, study_round, sizeof study_round, &local, work, needed,
                                                 report, sizeof report, &used));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_OK, sotto_round_info(&session, study_round, sizeof study_round, &info));
  TEST_ASSERT_EQUAL_UINT8(SOTTO_ROUND_KEPT, info.state);
  TEST_ASSERT_EQUAL_UINT8(SOTTO_BAD_MAGIC, sotto_round_info(&session, study_manifest, sizeof study_manifest, &info));
  sotto_session_close(&session);
}

int main(void) {
  UNITY_BEGIN();
  RUN_TEST(a_firmware_in_c_answers_and_answers_the_same_after_a_reboot);
  RUN_TEST(readings_follow_the_manifests_scale);
  RUN_TEST(the_self_test_passes_and_finds_faults);
  RUN_TEST(a_counter_follows_the_ledger);
  RUN_TEST(protections_without_their_part_of_the_library_are_refused);
  RUN_TEST(objects_begin_in_memory_of_any_content);
  RUN_TEST(a_key_vouches_for_the_ledger);
  RUN_TEST(words_and_versions);
  RUN_TEST(every_status_has_a_name_and_an_action);
  RUN_TEST(a_firmware_asks_about_a_round_before_it_answers);
  return UNITY_END();
}
