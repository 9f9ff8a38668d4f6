// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "../local/unchecked.hpp"
#include "moments.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/question/moments.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_count = 1, k_inverse_bandwidth = 2;
constexpr std::uint32_t k_features_most = 88;  // 4004 numbers and the pole are what a rotation holds
static_assert(packed_size(k_features_most) < 4096);

Status check(const Asked& asked, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed_fourier) return check_packed(asked, plan);
  const std::uint32_t p = round.parameter[k_count], size = packed_size(p);
  if (!in_range(p, 8, k_features_most) || p % 8 != 0 ||
      !in_range(round.parameter[k_inverse_bandwidth], k_inverse_bandwidth_q16_min, k_inverse_bandwidth_q16_max) ||
      !only_parameters(round, 0b111) || !plain(round) || round.model_size != 0) {
    return Status::bad_field;
  }
  if (const Status s = check_lifted(asked, size, plan); s != Status::ok) return s;
  const std::size_t needed = k_workspace_slack + (size + p) * sizeof(std::int32_t);
  return check_space(asked, plan.kept_bytes + needed);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed_fourier) return prepare_packed(asked, local, coins);
  const std::uint32_t p = round.parameter[k_count];
  Workspace space = space_behind(asked, lifted_kept_bytes(round));
  const std::span<std::int32_t> out = space.take<std::int32_t>(packed_size(p));
  const std::span<std::int32_t> z = space.take<std::int32_t>(p);
  const ChosenRow chosen{asked, local};
  fourier_features_unchecked({asked.label, round.parameter[k_inverse_bandwidth]}, chosen.samples, chosen.row, z);
  keep_products(asked, z, chosen.target(), out);
}

}  // namespace

const Question k_moments_fourier{QuestionKind::moments, check, prepare, report_lifted};

}  // namespace sotto
