// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/vote.hpp"
#include "vote_state.hpp"

namespace sotto {
namespace {

/// Its epsilon is checked with the manifest, and against the policy's cap by the ledger.
[[nodiscard]] VoteSpec spec_of(const Asked& asked) noexcept {
  const std::uint32_t* const numbers = asked.round.spec;
  return {asked.manifest.epsilon, numbers[0], numbers[1], numbers[2], numbers[3]};
}

Status check_given(Asked& asked) noexcept {
  if (asked.round.recipe != Recipe::given) return Status::unsupported_question;
  return check_vote(asked, recipe::parameter_count(Recipe::given), asked.round.model_size);
}

void prepare_given(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  voted_feature(asked) = local.given.feature();  // vote() treats any number above d as none
}

}  // namespace

Status check_vote(Asked& asked, std::uint32_t parameters, std::uint32_t unused) noexcept {
  const Round& round = asked.round;
  if (round.stem != Stem::vote) return Status::bad_channel;
  unused |= round.link | round.pair_count;
  for (std::uint32_t i = parameters; i < k_parameter_places; ++i) unused |= round.parameter.at_place[i];
  if (unused != 0) return Status::bad_field;
  if (round.spec[0] != asked.manifest.features) return Status::bad_dimension;
  const VoteSpec spec = spec_of(asked);
  if (const Status s = check_parameters(spec); s != Status::ok) return s;
  const TwoLevel checked = channel(spec);
  if (const Status s = two_level_spend(checked, spec.epsilon); s != Status::ok) return s;
  constexpr std::size_t k_kept = kept_bytes_of<std::uint32_t>(1);
  asked.plan = {outcome_bytes(checked.outcomes), k_kept, k_kept};
  return Status::ok;
}

void report_vote(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const VoteSpec spec = spec_of(asked);
  write_number(vote_report(spec, channel(spec), asked.label, voted_feature(asked), coins), payload);
}

const Question k_vote_given{QuestionKind::vote, check_given, prepare_given, report_vote};

}  // namespace sotto
