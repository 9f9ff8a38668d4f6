// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/synopsis.hpp"

#include "noisy.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  const std::uint32_t copies = round.parameter[recipe::copies::count], scope = round.parameter[recipe::copies::scope];
  if (round.recipe != Recipe::copies) return Status::unsupported_question;
  if (!in_range(copies, 1, k_gaussian_dimension_max) || scope > k_scope_all || !takes_only_its_own(asked))
    return Status::bad_field;
  const std::uint32_t features = fitting_size(asked, scope);
  if (features == 0) return Status::bad_dimension;
  if (const Status s = check_noisy(asked, copies * features + 1); s != Status::ok) return s;  // below 2^28
  return check_record_ball(asked, copies);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const std::uint32_t scope = asked.round.parameter[recipe::copies::scope], features = scope_size(asked, scope);
  const std::span<std::int32_t> out = noisy_answer(asked);
  const ChosenRow chosen{asked, local};
  const std::span<std::int32_t> first = out.first(features);
  chosen.coordinates_q24(asked, scope, first);
  keep_record(asked, chosen, first);
  for (std::size_t j = features; j + 1 < out.size(); ++j) out[j] = out[j - features];
}

}  // namespace

const Question k_synopsis{QuestionKind::synopsis, check, prepare, report_noisy};

}  // namespace sotto
