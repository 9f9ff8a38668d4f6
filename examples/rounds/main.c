/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* A device that takes part in a study of several rounds. At every boot it opens its ledger, fetches the rounds that are there, answers
 * those that ask it, waits for its slot, sends, tries again, and tells the ledger when the server has the report. Power may be cut
 * anywhere: after the next boot the same round gives the same bytes. */
#include <stddef.h>

#include "board.h"
#include "line.h"
#include "port.h"

enum { TRIES = 3, REPORT_BYTES = 256, WORK_BYTES = 4608 };

static Provision provision;
static sotto_ledger ledger;
static sotto_session session;
static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, REPORT_BYTES) / 8], work[WORK_BYTES / 8];
static const sotto_ledger_memory memory = {words, sizeof words, REPORT_BYTES};
static sotto_flash flash;
static sotto_hooks hooks;
static const sotto_question* questions[4];
static Frame frame;
static uint8_t report[REPORT_BYTES];

static uint16_t length_of(const char* text) {
  uint16_t n = 0;
  while (text[n] != '\0') ++n;
  return n;
}

static void say(const char* what, sotto_status status) {
  const char* const name = sotto_status_text(status);
  send_frame(FRAME_LOG, (const uint8_t*)what, length_of(what), (const uint8_t*)name, length_of(name));
}

static sotto_status open_ledger(void) {
  static const sotto_policy policy = {{UINT64_C(4000000000), 0}, {UINT64_C(8000000000), 0}};
  const sotto_status status = sotto_ledger_open(&ledger, &memory, &flash, NULL);
  if (status != SOTTO_NO_LEDGER) return status; /* any refusal but this one needs a person's attention */
  return sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &hooks.entropy);
}

/* The owner decides with the app that is the gateway, once; the ledger remembers. */
static sotto_status hear_owner(void) {
  const uint8_t consent = sotto_ledger_consent(&ledger) ? 1 : 0;
  send_frame(FRAME_HELLO, &consent, 1, NULL, 0);
  receive_frame(&frame);
  if (frame.kind != FRAME_CONSENT || frame.size != 1) return SOTTO_OK;
  return sotto_ledger_set_consent(&ledger, frame.bytes[0] == 1);
}

static sotto_status join(void) {
  sotto_status status =
      sotto_enrol(&ledger, provision.manifest, provision.manifest_bytes, &provision.credential, &hooks);
  if (status == SOTTO_OK || status == SOTTO_STUDY_EXISTS)
    status = sotto_session_open(&session, provision.manifest, provision.manifest_bytes, &ledger, &hooks);
  return status;
}

/* Sends at this device's slot of the window, which no computation can shift, until the server has the report. */
static void deliver(uint16_t number, size_t used) {
  const uint32_t slot = sotto_slot(&session, number);
  const uint8_t when[4] = {(uint8_t)slot, (uint8_t)(slot >> 8), (uint8_t)(slot >> 16), (uint8_t)(slot >> 24)};
  const uint8_t head[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
  int left;
  send_frame(FRAME_WAIT, when, sizeof when, NULL, 0);
  receive_frame(&frame); /* the emulated boards have no clock: the gateway's */
  for (left = TRIES; left > 0; --left) {
    send_frame(FRAME_REPORT, head, sizeof head, report, (uint16_t)used);
    receive_frame(&frame);
    if (frame.kind == FRAME_TAKEN) {
      const sotto_status status = sotto_acknowledge(&session, number);
      if (status != SOTTO_OK) say("acknowledgement: ", status);
      return;
    }
  }
  say("not sent; the report is kept: ", SOTTO_OK);
}

static void answer(uint16_t number) {
  const sotto_local local = {
      .samples = {provision.rows, provision.features, provision.samples, provision.features + 1, NULL, NULL}};
  size_t used = 0;
  const sotto_status status =
      sotto_answer(&session, frame.bytes, frame.size, &local, work, sizeof work, report, sizeof report, &used);
  if (status == SOTTO_OK)
    deliver(number, used);
  else
    say("round: ", status); /* one that this firmware cannot answer */
}

int main(void) {
  sotto_status status = SOTTO_OK;
  uint16_t last = 0;
  sotto_round info;
  port_serial_begin();
  if (!port_provision(&provision) || !port_flash(&flash)) {
    board_puts("no provision, or no flash\n");
    return 1;
  }
  questions[0] = sotto_vote();
  questions[1] = sotto_bin();
  questions[2] = sotto_value();
  questions[3] = sotto_direction();
  hooks.entropy = port_entropy();
  hooks.questions = questions;
  hooks.question_count = sizeof questions / sizeof questions[0];
  status = open_ledger();
  if (status == SOTTO_OK) status = hear_owner();
  if (status == SOTTO_OK) status = join();
  if (status != SOTTO_OK) {
    say("cannot take part: ", status);
    return 1;
  }
  for (;;) {
    const uint8_t known[2] = {(uint8_t)last, (uint8_t)(last >> 8)};
    send_frame(FRAME_FETCH, known, sizeof known, NULL, 0);
    receive_frame(&frame);
    if (frame.kind != FRAME_ROUND) break;
    status = sotto_round_info(&session, frame.bytes, frame.size, &info);
    if (status != SOTTO_OK) {
      say("not a round of this study: ", status);
      break;
    }
    last = info.number;
    if (info.state == SOTTO_ROUND_LOST) say("round: ", SOTTO_SPENT_UNSENT);
    /* Others are asked, or this device is done with it; a report that was kept is sent again. */
    if (info.is_for_this_device && (info.state == SOTTO_ROUND_FREE || info.state == SOTTO_ROUND_KEPT)) answer(last);
  }
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  return 0;
}
