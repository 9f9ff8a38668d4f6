// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A whole answer: what the device wants to say is secret from prepare() on, through charge, draw, encoding and sealing. Sealed
// bytes are public, because they are about to be sent: the hook that seals them says so.
#include <cstdint>
#include <cstdlib>

#include "cases.hpp"
#include "secret.hpp"
#include "seeded_entropy.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"
#include "ledger_kit.hpp"
#include "study_kit.hpp"

namespace sotto {
namespace {

void must(Status status) {
  if (status != Status::ok) std::abort();
}

bool seal_and_publish(void* sealed, const AeadText* text) {
  aead_seal(*text);
  make_public(*static_cast<std::uint8_t*>(text->text));
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(text->tag, k_tag_bytes));
  *static_cast<bool*>(sealed) = true;
  return true;
}

template <std::uint32_t features>
void answer_vote() {
  VoteStudy study{features};
  PlainFlash<1024> memory;
  const Flash flash = memory.flash();
  const LedgerHooks ledger_hooks;
  SeededEntropy entropy{5};
  bool sealed = false;
  const Question* const questions[] = {&k_vote_given};
  const SessionHooks hooks{entropy.source(), questions, {}, {&sealed, seal_and_publish}, false};
  RoomyLedger<> ledger;
  must(ledger.create(flash, ledger_hooks, {{4 * k_epsilon_one, 0}, {4 * k_epsilon_one, 0}}, entropy.source()));
  must(ledger.set_consent(true));
  must(ledger.enrol(study.digest, study.credential));
  Session session;
  must(session.open(study.manifest_bytes(), ledger, hooks));
  alignas(8) std::byte work[128];
  std::uint8_t out[64];
  std::size_t bytes = 0;
  LocalData local{{}, 3};
  make_secret(local.given);
  must(session.prepare(study.round_bytes(), local, work));
  must(session.send(out, bytes));
  if (!sealed || bytes != report_bytes_of(1, true)) std::abort();
}

constexpr Case k_cases[] = {{"session_grr", answer_vote<8>}, {"session_walsh", answer_vote<1024>}};

}  // namespace

std::span<const Case> session_cases() { return k_cases; }

}  // namespace sotto
