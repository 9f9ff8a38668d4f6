/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* Answers one round of the study in study.h and prints the report as hex. */
#include <driver/gpio.h>
#include <stdio.h>

#include "sotto_esp_idf.h"
#include "study.h"

/* The owner agrees by holding the BOOT button, which every development board has, while the program starts. Asked for while consent is
 * off; the ledger keeps the decision. */
static bool owner_agrees(void) {
  static const gpio_config_t button = {
      .pin_bit_mask = 1ULL << GPIO_NUM_0, .mode = GPIO_MODE_INPUT, .pull_up_en = GPIO_PULLUP_ENABLE};
  return gpio_config(&button) == ESP_OK && gpio_get_level(GPIO_NUM_0) == 0;
}

static void refused(const char* what, sotto_status status) {
  printf("%s refused: %s\n", what, sotto_status_text(status));
}

void app_main(void);
void app_main(void) {
  static const sotto_policy policy = {{UINT64_C(4000000000), 0}, {UINT64_C(8000000000), 0}};
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8];
  static const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  static const int16_t samples[2][STUDY_FEATURES + 1] = {{900, -200, 10, 4, 7, -3, 0, 2, 800},
                                                         {-700, 90, 4, 9, -2, 6, 1, 3, -600}};
  static const sotto_local local = {.samples = {2, STUDY_FEATURES, &samples[0][0], STUDY_FEATURES + 1, NULL, NULL}};
  static uint64_t work[STUDY_WORK_BYTES / 8];
  static uint8_t report[STUDY_REPORT_BYTES];
  static sotto_ledger ledger;
  static sotto_session session;
  static sotto_flash flash;
  static const sotto_question* questions[1];
  static sotto_hooks hooks;
  sotto_status status;
  size_t used = 0, i;
  /* No radio here: sdkconfig.defaults chooses the bootloader's source of entropy. */
  hooks.entropy = sotto_esp_idf_entropy(NULL);
  questions[0] = STUDY_ROUND_1_QUESTION();
  hooks.questions = questions;
  hooks.question_count = 1;
  if (!sotto_esp_idf_flash(&flash)) {
    printf("no partition sotto that a ledger can use\n");
    return;
  }
  status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status == SOTTO_NO_LEDGER) /* the first start; any other refusal needs a person's attention */
    status = sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
  if (status != SOTTO_OK) {
    refused("ledger", status);
    return;
  }
  if (!sotto_ledger_consent(&ledger) && owner_agrees()) {
    status = sotto_ledger_set_consent(&ledger, true);
    if (status != SOTTO_OK) {
      refused("consent", status);
      return;
    }
  }
  if (!sotto_ledger_consent(&ledger)) {
    printf("the owner has not agreed: hold BOOT while the program starts (GPIO 0 low, after the boot loader)\n");
    return;
  }
  status = sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &study_credential, &hooks);
  if (status != SOTTO_OK && status != SOTTO_STUDY_EXISTS) {
    refused("enrolment", status);
    return;
  }
  status = sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks);
  if (status != SOTTO_OK) {
    refused("study", status);
    return;
  }
  status = sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report,
                        &used);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  if (status != SOTTO_OK) {
    refused("round", status);
    return;
  }
  for (i = 0; i < used; ++i) printf("%02x", report[i]);
  printf("\n");
}
