// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/moments.hpp"

#include "../local/q24_ops.hpp"
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
  const std::size_t needed = k_workspace_slack + (size + features) * sizeof(std::int32_t);
  return check_space(asked, plan.kept_bytes + needed);
}

void keep_products(const Asked& asked, const std::span<const std::int32_t>& z, Q15 target,
                   const std::span<std::int32_t>& out) noexcept {
  std::int32_t* to = out.data();
  for (const std::int32_t& a : z) {
    for (const std::int32_t* b = &a; b != z.data() + z.size(); ++b)
      *to++ = static_cast<std::int32_t>(shift_right_round(multiply_signed(a, *b), 24));
  }
  for (const std::int32_t a : z) *to++ = static_cast<std::int32_t>(shift_right_round(multiply_signed(a, target), 15));
  keep_lifted(asked, out);
}

void prepare_packed(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const std::uint32_t scope = asked.round.parameter[k_scope], features = scope_size(asked, scope);
  Workspace space = space_behind(asked, lifted_kept_bytes(asked.round));
  const std::span<std::int32_t> out = space.take<std::int32_t>(packed_size(features));
  const std::span<std::int32_t> z = space.take<std::int32_t>(features);
  const ChosenRow chosen{asked, local};
  for (std::uint32_t j = 0; j < features; ++j)
    z[j] = chosen.column(scope_feature(asked, scope, j)) * 512;  // Q15 to Q24
  keep_products(asked, z, chosen.target(), out);
}

const Question k_moments{QuestionKind::moments, check_packed, prepare_packed, report_lifted};

}  // namespace sotto
