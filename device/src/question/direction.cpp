// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/direction.hpp"

#include "lifted.hpp"
#include "round_link.hpp"
#include "vector_answer.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  if (const Status s = check_vector(asked); s != Status::ok) return s;
  if (!has_table(asked.round) && asked.round.pair_count != 0) return Status::bad_field;
  const Status status = check_lifted(asked, vector_size(asked));
  plan_vector(asked);
  return status;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  keep_lifted(asked, vector_answer(asked, local));
}

}  // namespace

const Question k_direction{QuestionKind::direction, check, prepare, report_lifted};

}  // namespace sotto
