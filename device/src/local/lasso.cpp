// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/lasso.hpp"

#include "descent.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/wide.hpp"

namespace sotto {

std::uint32_t lasso_path(const LassoSpec& spec, std::uint32_t visits_kept, Descent& descent) noexcept {
  constexpr std::uint32_t k_ratio_q32 = 3804768783u;  // 0.1^(1/19)
  const std::uint32_t last = descent.threshold_of(spec.lambda_q24);
  std::uint32_t before = descent.largest_gradient();
  for (std::uint32_t i = 1; i < k_lasso_path; ++i) {
    const auto next = static_cast<std::uint32_t>(multiply_32(before, k_ratio_q32) >> 32);
    if (next <= last) break;
    descent.minimise(next, before, spec.path_tolerance_q24, visits_kept + (spec.visits - visits_kept) / 2);
    before = next;
  }
  if (last < before) {
    descent.refresh();
    descent.minimise(last, before, spec.tolerance_q24, visits_kept);
  }
  return last;
}

void lasso(const LassoSpec& spec, const ColumnView& view, const std::span<std::byte>& work,
           const std::span<std::int32_t>& beta_q24) noexcept {
  scad({.lasso = spec}, 0, view, work, beta_q24);
}

}  // namespace sotto
