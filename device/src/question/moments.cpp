// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/moments.hpp"

#include "moments.hpp"
#include "sotto/arithmetic/q24_ops.hpp"

namespace sotto {

Status check_packed(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed) return Status::unsupported_question;
  if (round.parameter[recipe::vector::scope] > k_scope_all || !takes_only_its_own(asked)) return Status::bad_field;
  const std::uint32_t features = fitting_size(asked, round.parameter[recipe::vector::scope]);
  return features == 0 ? Status::bad_dimension : check_packed_size(asked, features);
}

Status check_packed_size(Asked& asked, std::uint32_t features) noexcept {
  const std::uint32_t size = packed_size(features);
  const Status status = check_lifted(asked, size);
  plan_scratch(asked, k_workspace_slack + (size + features) * sizeof(std::int32_t));
  return status;
}

PackedRecord::PackedRecord(const Asked& asked, const LocalData& local, std::uint32_t features) noexcept
    : chosen(asked, local) {
  Workspace space = free_space(asked);
  products = space.take<std::int32_t>(packed_size(features));
  z = space.take<std::int32_t>(features);
}

void PackedRecord::keep(const Asked& asked) const noexcept {
  std::int32_t* to = products.data();
  for (const std::int32_t& a : z) {
    for (const std::int32_t* b = &a; b != z.data() + z.size(); ++b)
      *to++ = static_cast<std::int32_t>(shift_right_round(multiply_signed(a, *b), 24));
  }
  const Q15 target = chosen.target();
  for (const std::int32_t a : z) *to++ = static_cast<std::int32_t>(shift_right_round(multiply_signed(a, target), 15));
  keep_lifted(asked, products);
}

void prepare_packed(const Asked& asked, const LocalData& local, PrivateCoins&) noexcept {
  const std::uint32_t scope = asked.round.parameter[recipe::vector::scope];
  const PackedRecord record{asked, local, scope_size(asked, scope)};
  record.chosen.coordinates_q24(asked, scope, record.z);
  record.keep(asked);
}

const Question k_moments{QuestionKind::moments, check_packed, prepare_packed, report_lifted};

}  // namespace sotto
