// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/sketch.hpp"

#include "../local/unchecked.hpp"
#include "noisy.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/grid_ball.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/local/sign_projection.hpp"

namespace sotto {
namespace {

/// Whether parameter[4] suits the recipe and p numbers.
[[nodiscard]] bool recipe_good(const Round& round, std::uint32_t p) noexcept {
  const std::uint32_t number = round.parameter[4];
  if (round.recipe == Recipe::projection) return number == 0;
  if (round.recipe == Recipe::fourier)
    return in_range(number, k_inverse_bandwidth_q16_min, k_inverse_bandwidth_q16_max);
  return in_range(number, k_hadamard_block_min, k_hadamard_block_max) && (number & (number - 1)) == 0 && number >= p;
}

Status check(const Asked& asked, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  const Recipe recipe = round.recipe;
  if (recipe != Recipe::projection && recipe != Recipe::hadamard && recipe != Recipe::fourier)
    return Status::unsupported_question;
  const std::uint32_t size = round.spec[2], p = size - 1;
  if (round.stem == Stem::gaussian && !projected_size_good(p)) return Status::bad_dimension;
  if (!recipe_good(round, p) || !takes_only(round, 0b11111)) return Status::bad_field;
  if (const Status s = check_noisy(asked, size, plan); s != Status::ok) return s;
  if (const Status s = check_record_ball(asked, 1); s != Status::ok) return s;
  const std::size_t needed = recipe == Recipe::hadamard ? hadamard_project_work_bytes(round.parameter[4]) : 0;
  return check_space(asked, needed);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const std::uint32_t* const p = asked.round.parameter;
  const std::span<std::int32_t> out = noisy_answer(asked);
  const std::span<std::int32_t> z = out.first(out.size() - 1);
  const ChosenRow chosen{asked, local};
  if (asked.round.recipe == Recipe::projection) {
    sign_project_unchecked(asked.label, chosen.samples, chosen.row, z);
  } else if (asked.round.recipe == Recipe::hadamard) {
    const Workspace space = free_space(asked);
    hadamard_project_unchecked(asked.label, p[4], chosen.samples, chosen.row, space.rest(), z);
  } else {
    fourier_features_unchecked({asked.label, p[4]}, chosen.samples, chosen.row, z);
  }
  keep_record(asked, chosen, z);
}

}  // namespace

const Question k_sketch{QuestionKind::sketch, check, prepare, report_noisy};

}  // namespace sotto
