// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/fixed.hpp"
#include "sotto/local/mean.hpp"
#include "sotto/local/screen.hpp"
#include "vote_state.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_mean_block = 32;  // features at a time

[[nodiscard]] std::uint32_t strongest_column(const Asked& asked, const Samples& samples) noexcept {
  Workspace space{scratch_of<VoteState>(asked)};
  const SparseModel model = copy_model(asked.round, space);
  const std::span<std::int32_t> residual = take_residuals(samples, model, space);
  ScreenedColumn best[1];
  const ScreenSpec spec{asked.manifest.nominal_rows, asked.manifest.unit_q15};
  screen(spec, samples, residual, space.rest(), best);
  return best[0].strength == 0 ? asked.manifest.features : best[0].column;
}

[[nodiscard]] std::uint32_t largest_mean(const Asked& asked, const Samples& samples) noexcept {
  Workspace space{scratch_of<VoteState>(asked)};
  const SparseModel model = copy_model(asked.round, space);
  const std::span<std::int32_t> mean = space.take<std::int32_t>(k_mean_block);
  const std::span<std::uint16_t> feature = space.take<std::uint16_t>(k_mean_block);
  std::uint32_t largest = 0, answer = asked.manifest.features;
  std::size_t next = 0;  // of the model, whose features rise
  for (std::uint32_t first = 0; samples.rows != 0 && first < asked.manifest.features; first += k_mean_block) {
    const std::uint32_t left = asked.manifest.features - first, count = left < k_mean_block ? left : k_mean_block;
    for (std::uint32_t j = 0; j < count; ++j) feature[j] = static_cast<std::uint16_t>(first + j);
    column_means(asked.manifest.nominal_rows, samples, feature.first(count), mean.first(count));
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::int32_t centre =
          next < model.feature.size() && model.feature[next] == first + j ? model.value_q24[next++] : 0;
      const auto above = static_cast<std::uint32_t>(mean[j]) - static_cast<std::uint32_t>(centre);
      const std::uint32_t size = mean[j] < centre ? 0u - above : above;  // at most 2^24 + 2^31
      if (size > largest) {
        largest = size;
        answer = first + j;
      }
    }
  }
  return answer;
}

}  // namespace

std::size_t screened_vote_bytes(const ScreenedVote& vote) noexcept {
  const std::size_t common = k_workspace_slack + model_bytes(vote.model_size);
  if (vote.recipe != Recipe::screen) return common + k_mean_block * (sizeof(std::int32_t) + sizeof(std::uint16_t));
  const std::size_t residual = vote.model_size == 0 ? 0 : vote.rows * sizeof(std::int32_t);
  return common + residual + screen_work_bytes(vote.rows, vote.mapped);
}

Status check_screened_vote(const Asked& asked, AnswerPlan& plan) noexcept {
  const Recipe recipe = asked.round.recipe;
  if (recipe != Recipe::given && recipe != Recipe::screen && recipe != Recipe::largest_mean)
    return Status::unsupported_question;
  if (recipe == Recipe::largest_mean && asked.manifest.units != RowUnits::stated) return Status::bad_field;
  if (!model_fits(asked)) return Status::bad_dimension;
  constexpr std::uint32_t k_parameters = recipe::parameter_count(Recipe::screen);
  static_assert(k_parameters == recipe::parameter_count(Recipe::given) &&
                k_parameters == recipe::parameter_count(Recipe::largest_mean));
  const std::uint32_t unused = recipe == Recipe::given ? asked.round.model_size : 0;
  if (const Status s = check_vote(asked, k_parameters, unused, plan); s != Status::ok) return s;
  const ScreenedVote vote{recipe, asked.manifest.nominal_rows, asked.round.model_size, asked.mapped};
  const std::size_t needed = recipe == Recipe::given ? 0 : screened_vote_bytes(vote);
  return asked.work.size() < k_kept_bytes<VoteState> + needed ? Status::short_buffer : Status::ok;
}

void prepare_screened_vote(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const Samples samples = nominal_samples(asked, local.samples);
  std::uint32_t& answer = state_of<VoteState>(asked).answer;
  if (asked.round.recipe == Recipe::given) answer = local.given;
  if (asked.round.recipe == Recipe::screen) answer = strongest_column(asked, samples);
  if (asked.round.recipe == Recipe::largest_mean) answer = largest_mean(asked, samples);
}

const Question k_vote_screen{QuestionKind::vote, check_screened_vote, prepare_screened_vote, report_vote};

}  // namespace sotto
