// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"

using namespace sotto;

// A whole firmware that answers votes: ledger (create, consent, enrolment, charge, store, acknowledge), sealing, formats, the vote.
Flash flash;
LedgerHooks ledger_hooks;
Policy policy;
SessionHooks hooks;
LedgerSpace<1, 34> space;
constinit Ledger ledger{space};
constinit Session session;  // no code at start-up
Credential credential;
Digest digest;  // of a manifest that is linked in; size_every_question asks the verify hook first
std::span<const std::uint8_t> manifest_bytes, round_bytes;
std::byte work[256];
std::uint8_t out[64];
const Question* const k_questions[] = {&k_vote_given};

int main() {
  hooks.questions = k_questions;
  hooks.entropy = firmware_entropy;
  std::size_t bytes = 0;
  if (ledger.open(flash, ledger_hooks) != Status::ok &&
      ledger.create(flash, ledger_hooks, policy, hooks.entropy) != Status::ok)
    return 1;
  if (ledger.set_consent(firmware_answer != 0) != Status::ok || ledger.enrol(digest, credential) != Status::ok)
    return 2;
  if (session.open(manifest_bytes, ledger, hooks) != Status::ok) return 3;
  if (session.answer(round_bytes, {{}, firmware_answer}, work, out, bytes) != Status::ok) return 4;
  firmware_report = out[0];
  return session.acknowledge(static_cast<std::uint16_t>(firmware_report)) == Status::ok ? 0 : 5;
}
