// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "lifted.hpp"
#include "noisy.hpp"
#include "sotto/local/grid_ball.hpp"
#include "sotto/question/update.hpp"
#include "steps.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (asked.round.stem != Stem::gaussian) return check_update(asked);
  if (const Status s = check_steps(asked); s != Status::ok) return s;
  if (const Status s = check_noisy(asked, asked.manifest.features); s != Status::ok) return s;
  return plan_steps(asked, 0);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  if (asked.round.stem != Stem::gaussian) return prepare_update(asked, local, coins);
  Workspace space = free_space(asked);
  const std::span<std::int32_t> out = noisy_answer(asked);
  steps_answer(asked, local, space, out);
  grid_ball(out, asked.round.parameter[recipe::steps::radius], noisy_radius(asked));
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  if (asked.round.stem != Stem::gaussian) return report_lifted(asked, coins, payload);
  report_noisy(asked, coins, payload);
}

}  // namespace

const Question k_update_noisy{QuestionKind::update, check, prepare, report};

}  // namespace sotto
