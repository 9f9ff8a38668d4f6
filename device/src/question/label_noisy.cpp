// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "noisy.hpp"
#include "scalar.hpp"
#include "sotto/question/label.hpp"
#include "target.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (const Status s = check_target(asked); s != Status::ok) return s;
  return asked.round.stem == Stem::gaussian ? check_noisy(asked, 1) : check_scalar(asked);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  prepare_label(asked, local, coins);
  if (asked.round.stem != Stem::gaussian) return;
  std::int32_t& answer = noisy_answer(asked)[0];
  answer = on_grid(answer, noisy_radius(asked));
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  if (asked.round.stem == Stem::gaussian) return report_noisy(asked, coins, payload);
  report_scalar(asked, coins, payload);
}

}  // namespace

const Question k_label_noisy{QuestionKind::label, check, prepare, report};

}  // namespace sotto
