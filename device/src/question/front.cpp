// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "front.hpp"

#include "sotto/wide.hpp"

namespace sotto {

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
