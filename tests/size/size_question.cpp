// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto.h"

// A whole firmware that answers one question with sealed reports, through the C API: SOTTO_SIZE_QUESTION names the function that
// gives the question. What questions cost beside each other is seen by comparing these images.
#if !defined(SOTTO_SIZE_QUESTION)
#define SOTTO_SIZE_QUESTION sotto_vote_given
#endif

sotto_flash flash;
sotto_policy policy;
sotto_hooks hooks;
sotto_credential credential;
sotto_ledger ledger;
sotto_ledger_memory memory;
sotto_session session;
sotto_local local;
const std::uint8_t *manifest, *round_bytes;
std::size_t manifest_bytes, round_size, used;
std::byte work[256];
std::uint8_t out[64];

int main() {
  const sotto_question* const questions[] = {SOTTO_SIZE_QUESTION()};
  hooks.questions = questions;
  hooks.question_count = 1;
  int done = sotto_ledger_open(&ledger, &memory, &flash, nullptr);
  done |= sotto_ledger_create(&ledger, &memory, &flash, nullptr, &policy, &hooks.entropy);
  done |= sotto_ledger_set_consent(&ledger, !sotto_ledger_consent(&ledger));
  done |= sotto_enrol(&ledger, manifest, manifest_bytes, &credential, &hooks);
  done |= sotto_session_open(&session, manifest, manifest_bytes, &ledger, &hooks);
  done |= sotto_answer(&session, round_bytes, round_size, &local, work, sizeof work, out, sizeof out, &used);
  done |= sotto_acknowledge(&session, 1);
  sotto_session_close(&session);
  sotto_ledger_close(&ledger);
  return done;
}
