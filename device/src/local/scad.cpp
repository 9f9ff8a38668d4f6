// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/scad.hpp"

#include "descent.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/wide.hpp"

namespace sotto {

// (a*corner - |b|) / ((a - 1)*corner) with a = 37/10: (37*corner - 10*|b|) / (27*corner).
std::uint32_t scad_weight_q15(std::uint32_t size_q24, std::uint32_t corner_q24) noexcept {
  if (size_q24 <= corner_q24) return 32768;
  const std::uint64_t end = 37 * std::uint64_t{corner_q24}, size = 10 * std::uint64_t{size_q24};
  if (size >= end) return 0;
  return static_cast<std::uint32_t>(divide_floor((end - size) << 15, 27 * std::uint64_t{corner_q24}));  // below 2^53
}

void scad(const ScadSpec& spec, std::uint32_t rounds, const ColumnView& view, const std::span<std::byte>& work,
          const std::span<std::int32_t>& beta_q24) noexcept {
  const std::uint32_t visits = spec.lasso.visits, unit = spec.unit_q15;
  Descent descent{view, spec.lasso.nominal_rows, work, visits};
  const std::uint32_t threshold = lasso_path(spec.lasso, rounds == 0 ? 0 : visits / 2, descent);

  const std::uint64_t wide = divide_floor(std::uint64_t{spec.lasso.lambda_q24} << 30, multiply_32(unit, unit));
  const std::int32_t corner = saturate_int32(static_cast<std::int64_t>(wide));  // above any coefficient
  while (rounds-- != 0) {
    for (Descent::Column& c : descent.columns()) {
      c.weight_q15 = static_cast<std::uint16_t>(scad_weight_q15(magnitude(c.beta), static_cast<std::uint32_t>(corner)));
    }
    descent.minimise(threshold, threshold, spec.lasso.tolerance_q24, rounds * (visits / 8));
  }
  descent.write(beta_q24);
}

}  // namespace sotto
