// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/vote.hpp"
#include "vote_state.hpp"

namespace sotto {
namespace {

Status check_given(const Asked& asked, AnswerPlan& plan) noexcept {
  if (asked.round.recipe != Recipe::given) return Status::unsupported_question;
  return check_vote(asked, 0, asked.round.model_size, plan);
}

void prepare_given(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  state_of<VoteState>(asked).answer = local.given;  // vote() answers anything above d as none
}

}  // namespace

Status check_vote(const Asked& asked, std::uint32_t parameters, std::uint32_t unused, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (round.stem != Stem::vote) return Status::bad_channel;
  unused |= round.link | round.pair_count;
  for (std::uint32_t i = parameters; i < k_recipe_numbers; ++i) unused |= round.parameter[i];
  if (unused != 0) return Status::bad_field;
  if (round.spec[0] != asked.manifest.features) return Status::bad_dimension;
  if (asked.work.size() < k_kept_bytes<VoteState>) return Status::short_buffer;
  VoteState& state = state_of<VoteState>(asked);
  VoteSpec& spec = state.certified.draft();
  spec.epsilon = asked.manifest.epsilon;
  static_assert(offsetof(VoteSpec, threshold) == offsetof(VoteSpec, features) + 12);
  __builtin_memcpy(&spec.features, round.spec, sizeof round.spec);
  state.answer = spec.features;
  if (const Status s = certify_draft(asked.cap, state.certified); s != Status::ok) return s;
  plan = {outcome_bytes(channel(spec).outcomes), k_kept_bytes<VoteState>, 0};
  return Status::ok;
}

void report_vote(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const VoteState& state = state_of<VoteState>(asked);
  std::uint32_t report = 0;
  (void)vote(state.certified, asked.label, state.answer, coins, report);  // certified, and a report was begun
  write_number(report, payload);
}

const Question k_vote_given{QuestionKind::vote, check_given, prepare_given, report_vote};

}  // namespace sotto
