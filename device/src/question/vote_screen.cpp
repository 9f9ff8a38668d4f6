// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/column.hpp"
#include "sotto/local/screen.hpp"
#include "vote_state.hpp"

namespace sotto {
namespace {

[[nodiscard]] std::uint32_t strongest_column(const Asked& asked, const Samples& samples) noexcept {
  Workspace space = free_space(asked);
  const SparseModel model = copy_model(asked.round, space);
  const std::span<std::int32_t> residual = take_residuals(samples, model, space);
  ScreenedColumn best[1];
  const ScreenSpec spec{asked.manifest.nominal_rows, asked.manifest.unit_q15};
  screen(spec, samples, residual, space.rest(), best);
  return best[0].strength == 0 ? asked.manifest.features : best[0].column;
}

/// Compares m |mean - model|, Q15, saturating.
[[nodiscard]] std::uint32_t largest_mean(const Asked& asked, const Samples& samples) noexcept {
  Workspace space = free_space(asked);
  auto* const buffer = space.take_data<Q15>(samples.rows);
  std::uint32_t largest = 0, answer = asked.manifest.features, next = 0;  // of the model, whose features rise
  for (std::uint32_t j = 0; samples.rows != 0 && j < asked.manifest.features; ++j) {
    std::int32_t sum = column_sum(samples, j, buffer);
    if (next < asked.round.model_size) {
      const ModelEntry entry = model_entry(asked.round, next);
      if (entry.feature == j) {
        const auto m = static_cast<std::int32_t>(asked.manifest.nominal_rows);
        sum = saturate_int32(sum - shift_right_round(multiply_signed(entry.value_q24, m), 24 - 15));
        ++next;
      }
    }
    if (magnitude(sum) > largest) {
      largest = magnitude(sum);
      answer = j;
    }
  }
  return answer;
}

}  // namespace

std::size_t screened_vote_bytes(const ScreenedVote& vote) noexcept {
  if (vote.recipe != Recipe::screen)
    return k_workspace_slack + buffered_rows(RowUnits::stated, vote.mapped, vote.rows) * sizeof(Q15);
  const std::size_t residual = vote.model_size == 0 ? 0 : vote.rows * sizeof(std::int32_t);
  return k_workspace_slack + model_bytes(vote.model_size) + residual + screen_work_bytes(vote.rows, vote.mapped);
}

Status check_screened_vote(Asked& asked) noexcept {
  const Recipe recipe = asked.round.recipe;
  if (recipe != Recipe::given && recipe != Recipe::screen && recipe != Recipe::largest_mean)
    return Status::unsupported_question;
  if (recipe == Recipe::largest_mean && asked.manifest.units != RowUnits::stated) return Status::bad_field;
  if (!model_fits(asked)) return Status::bad_dimension;
  constexpr std::uint32_t k_parameters = recipe::parameter_count(Recipe::screen);
  static_assert(k_parameters == recipe::parameter_count(Recipe::given) &&
                k_parameters == recipe::parameter_count(Recipe::largest_mean));
  const std::uint32_t unused = recipe == Recipe::given ? asked.round.model_size : 0;
  const Status status = check_vote(asked, k_parameters, unused);
  if (recipe != Recipe::given)
    plan_scratch(asked,
                 screened_vote_bytes({recipe, asked.manifest.nominal_rows, asked.round.model_size, asked.mapped}));
  return status;
}

void prepare_screened_vote(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Samples samples = nominal_samples(asked, local.samples);
  std::uint32_t& answer = voted_feature(asked);
  if (asked.round.recipe == Recipe::given) answer = local.given.feature();
  if (asked.round.recipe == Recipe::screen) answer = strongest_column(asked, samples);
  if (asked.round.recipe == Recipe::largest_mean) answer = largest_mean(asked, samples);
}

const Question k_vote_screen{QuestionKind::vote, check_screened_vote, prepare_screened_vote, report_vote};

}  // namespace sotto
