// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/value.hpp"

#include "gain.hpp"
#include "ranged.hpp"
#include "scalar.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (const Status s = check_scalar(asked); s != Status::ok) return s;
  return asked.round.recipe == Recipe::gain ? check_gain(asked) : check_ranged(asked);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  if (asked.round.recipe == Recipe::gain) return keep_scalar(asked, gain_answer(asked, local));
  keep_position(asked, ranged_answer(asked, local));
}

}  // namespace

const Question k_value{QuestionKind::value, check, prepare, report_scalar};

}  // namespace sotto
