// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto.h"

// A whole firmware that answers every question, through the C API. It leaves out what a product leaves out, too: the words of
// the statuses and the self-test of a production line. And it leaves out the removal of a study, which takes about 350 bytes more
// and for which the budget has no room.
sotto_flash flash;
sotto_lock lock;
sotto_counter counter;
sotto_ledger_hooks ledger_hooks;
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
  const sotto_question* const questions[] = {
      sotto_vote(),     sotto_bin_cells(),    sotto_block(),       sotto_moments_fourier(),
      sotto_value(),    sotto_direction(),    sotto_label_noisy(), sotto_sketch(),
      sotto_synopsis(), sotto_update_noisy(), sotto_number(),      sotto_top()};
  hooks.questions = questions;
  hooks.question_count = sizeof questions / sizeof *questions;
  counter.settle = sotto_counter_settle;
  ledger_hooks = {&lock, &counter, nullptr, sotto_ledger_protect};
  int done = sotto_ledger_open(&ledger, &memory, &flash, &ledger_hooks);
  done |= sotto_ledger_create(&ledger, &memory, &flash, &ledger_hooks, &policy, &hooks.entropy);
  done |= sotto_ledger_set_consent(&ledger, !sotto_ledger_consent(&ledger));
  done |= sotto_ledger_set_policy(&ledger, &policy);
  done |= sotto_enrol(&ledger, manifest, manifest_bytes, &credential, &hooks);
  done |= sotto_enrol_plain(&ledger, manifest, manifest_bytes, &hooks);
  done |= sotto_session_open(&session, manifest, manifest_bytes, &ledger, &hooks);
  done |= sotto_reading(&session, 0, done);
  done |= sotto_vote_work_bytes(local.samples.rows, 1, false) > sizeof work;
  done |= sotto_prepare(&session, round_bytes, round_size, &local, work, sizeof work);
  done |= sotto_slot(&session, 1) != 0;
  done |= sotto_send(&session, out, sizeof out, &used);
  done |= sotto_acknowledge(&session, 1);
  sotto_session_close(&session);
  done |= sotto_ledger_spent(&ledger).epsilon != 0;
  sotto_ledger_close(&ledger);
  return done;
}
