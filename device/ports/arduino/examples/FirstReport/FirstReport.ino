// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Answers one round of a study and prints the report as hex. For ESP32 with arduino-esp32 3: the ledger lies in a data partition
// "sotto, data, 0x40, , 0x2000" of the sketch's partitions.csv, entropy needs the radio.
#include <Arduino.h>
#include <WiFi.h>

#include "sotto.h"
#include "sotto_esp_idf.h"
#include "study.h"

static bool radioIsOn() { return WiFi.getMode() != WIFI_OFF; }

// The owner agrees by holding the BOOT button while the sketch starts. Asked for while consent is off; the ledger keeps the decision.
static const uint8_t k_boot_button = 0;
static bool ownerAgrees() {
  pinMode(k_boot_button, INPUT_PULLUP);
  return digitalRead(k_boot_button) == LOW;
}

static bool done(const char* what, sotto_status status) {
  if (status == SOTTO_OK) return true;
  Serial.print(what);
  Serial.print(" refused: ");
  Serial.println(sotto_status_text(status));
  return false;
}

static void answer() {
  static const sotto_policy policy = {{4000000000u, 0}, {8000000000u, 0}};
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8], work[STUDY_WORK_BYTES / 8];
  static const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  static sotto_ledger ledger;
  static sotto_session session;
  static sotto_flash flash;
  static uint8_t report[STUDY_REPORT_BYTES];
  static const sotto_question* questions[1];
  static sotto_hooks hooks;
  questions[0] = STUDY_ROUND_1_QUESTION();
  hooks.entropy = sotto_esp_idf_entropy(radioIsOn);
  hooks.questions = questions;
  hooks.question_count = 1;
  if (!sotto_esp_idf_flash(&flash)) {
    Serial.println("no partition sotto that a ledger can use");
    return;
  }
  sotto_status status = sotto_ledger_open(&ledger, &memory, &flash, nullptr);
  if (status == SOTTO_NO_LEDGER)  // the first start; any other refusal needs a person's attention
    status = sotto_ledger_create(&ledger, &memory, &flash, nullptr, &policy, &hooks.entropy);
  if (!done("ledger", status)) return;
  if (!sotto_ledger_consent(&ledger) && ownerAgrees() && !done("consent", sotto_ledger_set_consent(&ledger, true))) return;
  if (!sotto_ledger_consent(&ledger)) {
    Serial.println("the owner has not agreed: hold BOOT while the sketch starts");
    return;
  }
  status = sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks);
  if (status != SOTTO_STUDY_EXISTS && !done("enrolment", status)) return;
  if (!done("study", sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks))) return;
  sotto_local local = {};
  local.given = sotto_choose(5);  // stays here
  size_t used = 0;
  if (done("round", sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report, &used))) {
    for (size_t i = 0; i < used; ++i) {
      const char digits[3] = {"0123456789abcdef"[report[i] >> 4], "0123456789abcdef"[report[i] & 15], 0};
      Serial.print(digits);
    }
    Serial.println("");
  }
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
}

void setup() {
  Serial.begin(115200);
  WiFi.mode(WIFI_STA);  // the generator is random while the radio is on
  delay(500);
  answer();
}

void loop() { delay(1000); }
