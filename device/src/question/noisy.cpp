// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "noisy.hpp"

#include "sotto/randomize/gaussian.hpp"

namespace sotto {

Status check_noisy(const Asked& asked, std::uint32_t size, AnswerPlan& plan) noexcept {
  const Round& round = asked.round;
  if (round.stem != Stem::gaussian) return Status::bad_channel;
  if (round.spec[2] != size) return Status::bad_dimension;
  if (!spec_ends(round, 3)) return Status::bad_field;
  const GaussianSpec spec{asked.manifest.epsilon, asked.manifest.delta, round.spec[0], round.spec[1], round.spec[2]};
  if (const Status s = certify_front(asked, spec); s != Status::ok) return s;
  plan = {k_noisy_bytes * size, kept_bytes_of<std::int32_t>(size), 0};
  return asked.work.size() < plan.kept_bytes ? Status::short_buffer : Status::ok;
}

std::span<std::int32_t> noisy_answer(const Asked& asked) noexcept {
  return answer_of<std::int32_t>(asked, asked.round.spec[2]);
}

std::uint32_t noisy_radius(const Asked& asked) noexcept { return asked.round.spec[0]; }

void report_noisy(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const std::span<std::int32_t> values = noisy_answer(asked);
  (void)gaussian(certified_of<GaussianSpec>(asked), values, coins);
  for (std::size_t j = 0; j < values.size(); ++j)
    write_number(static_cast<std::uint32_t>(values[j]), payload.subspan(k_noisy_bytes * j, k_noisy_bytes));
}

Status check_record_ball(const Asked& asked, std::uint32_t copies) noexcept {
  const std::uint32_t* const p = asked.round.parameter;
  if (!in_range(p[0], 1, 0x7fffffff) || !in_range(p[1], 1, k_gaussian_radius_max) || p[2] > k_gaussian_radius_max ||
      !in_range(p[3], 1, 32768) || copies > k_gaussian_dimension_max) {
    return Status::bad_field;
  }
  static_assert(std::uint64_t{k_gaussian_dimension_max + 1} * k_gaussian_radius_max * k_gaussian_radius_max <
                1ull << 31);
  const std::uint32_t radius = noisy_radius(asked);  // certified: at most 512
  return copies * p[1] * p[1] + p[2] * p[2] > radius * radius ? Status::bad_channel : Status::ok;
}

}  // namespace sotto
