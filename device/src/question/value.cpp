// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/value.hpp"

#include "gain.hpp"
#include "ranged.hpp"
#include "scalar.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (const Status s = check_scalar(asked); s != Status::ok) return s;
  return asked.round.recipe == Recipe::gain ? check_gain(asked) : check_ranged(asked);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  if (asked.round.recipe == Recipe::gain) return keep_scalar(asked, gain_answer(asked, local));
  const Position at = ranged_answer(asked, local);
  const std::uint64_t way_q16 = divide_floor((std::uint64_t{at.offset} << 16) + at.width / 2, at.width);
  keep_scalar(asked, static_cast<std::int32_t>(way_q16) - k_q15_one);
}

}  // namespace

const Question k_value{QuestionKind::value, check, prepare, report_scalar};

}  // namespace sotto
