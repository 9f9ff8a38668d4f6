// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/moments.hpp"

#include "moments.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_scope = 4;

}  // namespace

Status check_packed(const Asked& asked, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed) return Status::unsupported_question;
  if (round.parameter[k_scope] > k_scope_all || !only_parameters(round, 1 | 1u << k_scope) || !plain(round))
    return Status::bad_field;
  const std::uint32_t features = scope_size(asked, round.parameter[k_scope]), size = packed_size(features);
  if (features == 0 || !model_fits(asked)) return Status::bad_dimension;
  if (const Status s = check_lifted(asked, size, plan); s != Status::ok) return s;
  const std::size_t needed = k_workspace_slack + size * sizeof(std::int32_t) + (features + 1) * sizeof(Q15);
  return scratch_behind(asked, plan.kept_bytes).size() < needed ? Status::short_buffer : Status::ok;
}

void prepare_packed(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const std::uint32_t scope = asked.round.parameter[k_scope], features = scope_size(asked, scope);
  Workspace space{scratch_behind(asked, lifted_kept_bytes(asked.round))};
  const std::span<std::int32_t> out = space.take<std::int32_t>(packed_size(features));
  const std::span<Q15> x = space.take<Q15>(features + 1);
  const ChosenRow chosen{asked, local};
  for (std::uint32_t j = 0; j < features; ++j) x[j] = chosen.column(scope_feature(asked, scope, j));
  x[features] = chosen.target();
  std::size_t at = 0;
  const auto product = [x](std::uint32_t i, std::uint32_t j) noexcept {
    return (x[i] * x[j] + 32) >> 6;
  };  // Q30 to Q24
  for (std::uint32_t i = 0; i < features; ++i) {
    for (std::uint32_t j = i; j < features; ++j) out[at++] = product(i, j);
  }
  for (std::uint32_t j = 0; j < features; ++j) out[at++] = product(j, features);
  keep_lifted(asked, out);
}

const Question k_moments{QuestionKind::moments, check_packed, prepare_packed, report_lifted};

}  // namespace sotto
