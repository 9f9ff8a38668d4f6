// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/direction.hpp"

#include "lifted.hpp"
#include "round_link.hpp"
#include "vector_answer.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  VectorPlan vector;
  if (const Status s = plan_vector(asked, vector); s != Status::ok) return s;
  if (!has_table(asked.round) && asked.round.pair_count != 0) return Status::bad_field;
  if (const Status s = check_lifted(asked, vector.size); s != Status::ok) return s;
  return plan_vector_space(asked, vector);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  keep_lifted(asked, vector_answer(asked, local));
}

}  // namespace

const Question k_direction{QuestionKind::direction, check, prepare, report_lifted};

}  // namespace sotto
