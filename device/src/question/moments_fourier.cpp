// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "moments.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/question/moments.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_features_max = 88;  // 4004 numbers and the lifted coordinate fit in a rotation of 4096
static_assert(packed_size(k_features_max) < 4096);

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed_fourier) return check_packed(asked);
  const std::uint32_t p = round.parameter[recipe::packed_fourier::count];
  if (!in_range(p, 8, k_features_max) || p % 8 != 0 ||
      !in_range(round.parameter[recipe::packed_fourier::inverse_bandwidth], k_inverse_bandwidth_q16_min,
                k_inverse_bandwidth_q16_max) ||
      !takes_only_its_own(asked)) {
    return Status::bad_field;
  }
  return check_packed_size(asked, p);
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::packed_fourier) return prepare_packed(asked, local, coins);
  const PackedRecord record{asked, local, round.parameter[recipe::packed_fourier::count]};
  fourier_features({asked.label, round.parameter[recipe::packed_fourier::inverse_bandwidth]}, record.chosen.samples, 0,
                   record.z);
  record.keep(asked);
}

}  // namespace

const Question k_moments_fourier{QuestionKind::moments, check, prepare, report_lifted};

}  // namespace sotto
