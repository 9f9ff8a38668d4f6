// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/sketch.hpp"

#include "noisy.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/hadamard_projection.hpp"

namespace sotto {
namespace {

/// Whether the recipe's own parameter is in its range and compatible with p outputs.
[[nodiscard]] bool recipe_good(const Round& round, std::uint32_t p) noexcept {
  if (round.recipe == Recipe::fourier)
    return in_range(round.parameter[recipe::sketch::inverse_bandwidth], k_inverse_bandwidth_q16_min,
                    k_inverse_bandwidth_q16_max);
  const std::uint32_t block = round.parameter[recipe::sketch::block];
  return in_range(block, k_hadamard_block_min, k_hadamard_block_max) && (block & (block - 1)) == 0 && block >= p;
}

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  const Recipe recipe = round.recipe;
  if (recipe != Recipe::hadamard && recipe != Recipe::fourier) return Status::unsupported_question;
  const std::uint32_t size = round.spec[2], p = size - 1;
  if (round.stem == Stem::gaussian && !projected_size_good(p)) return Status::bad_dimension;
  if (!recipe_good(round, p) || !takes_only_its_own(asked)) return Status::bad_field;
  if (const Status s = check_noisy(asked, size); s != Status::ok) return s;
  if (recipe == Recipe::hadamard)
    plan_scratch(asked, hadamard_project_work_bytes(round.parameter[recipe::sketch::block]));
  return check_record_ball(asked, 1);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Parameters& p = asked.round.parameter;
  const std::span<std::int32_t> out = noisy_answer(asked);
  const std::span<std::int32_t> z = out.first(out.size() - 1);
  const ChosenRow chosen{asked, local};
  if (asked.round.recipe == Recipe::hadamard) {
    const Workspace space = free_space(asked);
    hadamard_project(asked.label, p[recipe::sketch::block], chosen.samples, 0, space.rest(), z);
  } else {
    fourier_features({asked.label, p[recipe::sketch::inverse_bandwidth]}, chosen.samples, 0, z);
  }
  keep_record(asked, chosen, z);
}

}  // namespace

const Question k_sketch{QuestionKind::sketch, check, prepare, report_noisy};

}  // namespace sotto
