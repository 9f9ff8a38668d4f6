// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "ranged.hpp"

#include "round_link.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "vector_answer.hpp"

namespace sotto {

std::int32_t rotated_coordinate(const CoinLabel& label, const std::span<const std::int32_t>& vector_q24,
                                std::uint32_t j) noexcept {
  PublicCoins signs = rotation_signs(label);
  std::int64_t sum = 0;
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < vector_q24.size(); ++i, bits >>= 1) {
    if ((i & 31u) == 0) bits = signs.word();
    sum += ((bits ^ parity(i & j)) & 1u) != 0 ? -std::int64_t{vector_q24[i]} : std::int64_t{vector_q24[i]};
  }
  // A sum of P numbers of at most 2^31. What is beyond 2^40 saturates in the end (h <= 8), and must not overflow
  // before: 2^40 * 2^22.5.
  constexpr std::int64_t k_sum_max = std::int64_t{1} << 40;
  sum = sum > k_sum_max ? k_sum_max : sum < -k_sum_max ? -k_sum_max : sum;
  const auto log2_size = static_cast<std::uint32_t>(std::bit_width(vector_q24.size() - 1));
  constexpr std::int64_t k_root_half_q23 = 5931642;
  const bool odd = (log2_size & 1u) != 0;
  return saturate_int32(shift_right_round(sum * (odd ? k_root_half_q23 : 1), (log2_size >> 1) + (odd ? 23 : 0)));
}

Status check_ranged(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (const Status s = check_vector(asked); s != Status::ok) return s;
  bool good = round.parameter[recipe::vector::radius] == 0 && !has_table(round) &&
              (round.pair_count == 1 || round.pair_count == rotated_size(vector_size(asked)));
  for (std::uint32_t i = 0; good && i < round.pair_count; ++i) {
    const NumberPair range = number_pair(round, i);
    good = range.first < range.second;
  }
  plan_vector(asked);
  return good ? Status::ok : Status::bad_field;
}

Position ranged_answer(const Asked& asked, const LocalData& local) noexcept {
  const std::span<const std::int32_t> vector = vector_answer(asked, local);
  const std::uint32_t j = chosen_coordinate(asked.label, static_cast<std::uint32_t>(vector.size()));
  const NumberPair range = number_pair(asked.round, asked.round.pair_count == 1 ? 0 : j);
  return position_in(rotated_coordinate(asked.label, vector, j), range);
}

}  // namespace sotto
