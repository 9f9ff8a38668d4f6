// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/update.hpp"

#include "lifted.hpp"
#include "round_link.hpp"
#include "sotto/local/update.hpp"
#include "steps.hpp"

namespace sotto {
namespace {

[[nodiscard]] UpdateSpec update_spec(const Asked& asked) noexcept {
  const Parameters& p = asked.round.parameter;
  const std::uint32_t counts = p[recipe::steps::counts];
  return {gradient_spec(asked), steps_of(counts), kept_of(counts),
          static_cast<std::int32_t>(p[recipe::steps::step_size]), p[recipe::steps::radius]};
}

}  // namespace

Status check_steps(const Asked& asked) noexcept {
  const Round& round = asked.round;
  const std::uint32_t counts = round.parameter[recipe::steps::counts];
  if (round.recipe != Recipe::steps) return Status::unsupported_question;
  if (!takes_only_its_own(asked) || !in_range(round.parameter[recipe::steps::radius], 1, 0x7fffffff) ||
      !in_range(round.parameter[recipe::steps::step_size], 1, 64u << 24) ||
      !in_range(steps_of(counts), 1, k_update_steps_max) || !in_range(kept_of(counts), 1, asked.manifest.features)) {
    return Status::bad_field;
  }
  return model_fits(asked) ? Status::ok : Status::bad_dimension;
}

Status plan_steps(Asked& asked, std::size_t answer_bytes) noexcept {
  plan_scratch(asked, answer_bytes + k_workspace_slack + model_bytes(asked.round) +
                          update_work_bytes(kept_of(asked.round.parameter[recipe::steps::counts])) +
                          gradient_work_bytes(asked.manifest.units, asked.mapped, asked.manifest.nominal_rows));
  return check_gradient(asked.round);
}

void steps_answer(const Asked& asked, const LocalData& local, Workspace& space,
                  const std::span<std::int32_t>& out) noexcept {
  const UpdateSpec spec = update_spec(asked);
  const SparseModel model = copy_model(asked.round, space);
  update(spec, nominal_samples(asked, local.samples), model, space.rest(), out);
}

Status check_update(Asked& asked) noexcept {
  if (const Status s = check_steps(asked); s != Status::ok) return s;
  const std::uint32_t d = asked.manifest.features;
  if (const Status s = check_lifted(asked, d); s != Status::ok) return s;
  return plan_steps(asked, d * sizeof(std::int32_t));
}

void prepare_update(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  Workspace space = free_space(asked);
  const std::span<std::int32_t> out = space.take<std::int32_t>(asked.manifest.features);
  steps_answer(asked, local, space, out);
  keep_lifted(asked, out);
}

const Question k_update{QuestionKind::update, check_update, prepare_update, report_lifted};

}  // namespace sotto
