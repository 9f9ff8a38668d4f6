// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "front.hpp"

#include "sotto/wide.hpp"

namespace sotto {

Status certify_front(const Asked& asked, const FrontStem& stem, TwoLevel& channel) noexcept {
  if (asked.work.size() < k_front_bytes) return Status::short_buffer;
  // A spec is epsilon and then the integers as the round has them, fewer than these or all.
  alignas(EpsilonNano) std::byte spec[sizeof(EpsilonNano) + sizeof asked.round.spec];
  static_assert(sizeof spec < k_front_bytes);
  const EpsilonNano epsilon = asked.manifest.epsilon;
  __builtin_memcpy(spec, &epsilon, sizeof epsilon);
  __builtin_memcpy(spec + sizeof epsilon, asked.round.spec, sizeof asked.round.spec);
  if (const Status s = stem.check_parameters(spec); s != Status::ok) return s;
  if (const Status s = check_epsilon(epsilon, asked.cap); s != Status::ok) return s;
  channel = stem.channel(spec);
  if (const Status s = two_level_spend(channel, epsilon); s != Status::ok) return s;
  __builtin_memcpy(asked.work.data(), spec, sizeof spec);
  asked.work[stem.valid_at] = std::byte{true};
  return Status::ok;
}

bool spec_ends(const Round& round, std::uint32_t used) noexcept {
  std::uint32_t any = 0;
  for (std::uint32_t i = used; i < k_spec_fields; ++i) any |= round.spec[i];
  return any == 0;
}

bool only_parameters(const Round& round, std::uint32_t used) noexcept {
  std::uint32_t any = 0;
  for (std::uint32_t i = 0; i < k_recipe_numbers; ++i) any |= (used >> i & 1u) != 0 ? 0 : round.parameter[i];
  return any == 0;
}

std::uint32_t scope_feature(const Asked& asked, std::uint32_t scope, std::uint32_t j) noexcept {
  return scope == k_scope_all ? j : model_entry(asked.round, j).feature;
}

ChosenRow::ChosenRow(const Asked& asked, const LocalData& local) noexcept
    : samples(nominal_samples(asked, local.samples)), row(chosen_row(asked.label, asked.manifest.nominal_rows)) {}

Q15 ChosenRow::column(std::uint32_t j) const noexcept {
  Q15 buffer = 0;
  return held() ? *sample_columns(samples, row, j, 1, &buffer) : Q15{0};
}

std::int32_t scaled_target(Q15 target, std::uint32_t bound_q15, std::uint32_t steps) noexcept {
  static_assert(std::uint64_t{32768} * 32768 + 16384 < std::uint64_t{1} << 31);
  const std::uint32_t size = magnitude(target), clipped = size < bound_q15 ? size : bound_q15;
  const auto scaled = static_cast<std::int32_t>(divide_floor_32(clipped * steps + bound_q15 / 2, bound_q15));
  return target < 0 ? -scaled : scaled;
}

}  // namespace sotto
