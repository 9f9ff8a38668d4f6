// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of a session with the ledger open, flash in memory:
//   open_session   decode and hash the manifest, find the study
//   prepare_vote   decode, check and hash the round, certify, take entropy; the answer is given
//   send_vote      charge, draw, seal, store: what comes after the local answer
// and that send_vote does not depend on the answer.
#include <cstdint>

#include "bench_support.hpp"
#include "ledger_kit.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"
#include "study_kit.hpp"

using namespace sotto;

namespace {

constexpr std::uint32_t k_features = 1024, k_answers = 24;
const Question* const k_questions[] = {&k_vote_given};

PlainFlash<2048> memory;
alignas(8) std::byte work[256];
std::uint8_t out[64];

/// The same coins for every answer.
std::uint32_t send_with(VoteStudy& study, std::uint32_t answer, std::uint64_t seed, Counts* opened, Counts* prepared) {
  memory.blank();
  const Flash flash = memory.flash();
  const LedgerHooks ledger_hooks{nullptr, nullptr, nullptr, nullptr};
  SeededEntropy entropy{seed};
  const SessionHooks hooks{entropy.source(), k_questions, {}, {}};
  RoomyLedger<1, 34> ledger;
  must_be_ok(ledger.create(flash, ledger_hooks, {{100 * k_epsilon_one, 0}, {100 * k_epsilon_one, 0}}, birth_entropy()));
  must_be_ok(ledger.set_consent(true));
  must_be_ok(ledger.enrol(study.digest, study.credential));
  Session session;
  std::size_t bytes = 0;
  board_count_start();
  must_be_ok(session.open(study.manifest_bytes(), ledger, hooks));
  if (opened != nullptr) opened->add(board_count());
  const std::span<const std::uint8_t> round = study.round_bytes();
  board_count_start();
  must_be_ok(session.prepare(round, {{}, answer}, work));
  if (prepared != nullptr) prepared->add(board_count());
  board_count_start();
  must_be_ok(session.send(out, bytes));
  return board_count();
}

}  // namespace

int main() {
  if (!board_has_count) {
    board_puts("no instruction counter here\n");
    return 0;
  }
  VoteStudy study{k_features};
  Counts opened, prepared, sent;
  for (std::uint32_t i = 0; i < k_answers; ++i) sent.add(send_with(study, 37 * i, 9 + i, &opened, &prepared));
  print_counts("open_session", opened);
  print_counts("prepare_vote", prepared);
  print_counts("send_vote", sent);
  Counts constant;
  for (std::uint32_t i = 0; i < k_answers; ++i) constant.add(send_with(study, 43 * i, 5, nullptr, nullptr));
  board_puts("constant send_vote ");
  board_put_u32(constant.most - constant.least);
  board_puts("\n");
  return constant.most - constant.least > 1 ? 1 : 0;
}
