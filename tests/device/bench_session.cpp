// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Instructions of a session with the ledger open, flash in memory:
//   open_session   decode and hash the manifest, find the study
//   prepare_vote   decode, check and hash the round, certify, take entropy; the answer is given
//   send_vote      charge, draw, seal, store: what comes after the local answer
// and that send_vote does not depend on the answer. Without a session, from what the firmware gives to the payload:
//   answer_number        one integer through the window
//   answer_number_hook   the mean of nine readings of a hook, likewise
//   answer_top           16 bits of an id, hashed
//   answer_top_string    20 bits of the hash of a string, hashed again
#include <cstdint>

#include "asked_question.hpp"
#include "bench_support.hpp"
#include "ledger_kit.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/window.hpp"
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

AskedQuestion asked;
constexpr std::uint8_t k_item[] = {'r', 'a', 'd', 'i', 'o', '-', 'd', 'r', 'i', 'v', 'e', 'r'};

std::int32_t read_boot(void*, std::uint32_t i) { return static_cast<std::int32_t>(1800 + 37 * i); }

/// The local answer and the payload, with different coins.
void count_answers(const char* name, const Question& question, const LocalData& local) {
  Counts counts;
  must_be_ok(asked.check(question));
  for (std::uint32_t i = 0; i < k_answers; ++i) {
    SeededEntropy entropy{70 + i};
    PrivateCoins coins;
    must_be_ok(coins.begin_report(entropy.source()));
    board_count_start();
    question.prepare(asked.asked(false), local, coins);
    question.report(asked.asked(false), coins, {asked.payload, asked.plan.payload_bytes});
    counts.add(board_count());
  }
  print_counts(name, counts);
}

void count_everyday_answers() {
  asked.begin(1);
  asked.ask(Recipe::number, {k_rule_mean, 0});
  asked.pairs({{0, 60000}});
  asked.through(WindowSpec{.outcomes = 128, .width = 27});
  LocalData local;
  local.numbers = {1, nullptr, nullptr, 1840};
  count_answers("answer_number", k_number, local);
  local.numbers = {k_asked_rows, nullptr, read_boot};
  count_answers("answer_number_hook", k_number, local);
  local.item = k_item;
  local.item_bytes = sizeof k_item;
  asked.pairs({});
  asked.through(GrrSpec{.categories = 8});
  asked.ask(Recipe::item, {8, 0, 16, 0});
  count_answers("answer_top", k_top, local);
  asked.ask(Recipe::item, {16, 1, 20, 0});
  count_answers("answer_top_string", k_top, local);
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
  count_everyday_answers();
  Counts constant;
  for (std::uint32_t i = 0; i < k_answers; ++i) constant.add(send_with(study, 43 * i, 5, nullptr, nullptr));
  board_puts("constant send_vote ");
  board_put_u32(constant.most - constant.least);
  board_puts("\n");
  return constant.most - constant.least > 1 ? 1 : 0;
}
