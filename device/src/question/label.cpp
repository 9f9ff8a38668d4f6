// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/label.hpp"

#include "scalar.hpp"
#include "target.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (const Status s = check_target(asked); s != Status::ok) return s;
  return check_scalar(asked);
}

}  // namespace

Status check_target(const Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::target) return Status::unsupported_question;
  return in_range(round.parameter[recipe::target::bound], 1, 32768) && takes_only_its_own(asked) ? Status::ok
                                                                                                 : Status::bad_field;
}

void prepare_label(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  keep_scalar(asked,
              scaled_target(ChosenRow{asked, local}.target(), asked.round.parameter[recipe::target::bound], k_q15_one));
}

const Question k_label{QuestionKind::label, check, prepare_label, report_scalar};

}  // namespace sotto
