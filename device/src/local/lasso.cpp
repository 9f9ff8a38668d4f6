// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/lasso.hpp"

#include "descent.hpp"
#include "sotto/wide.hpp"

namespace sotto {

Status lasso_check(const LassoSpec& spec, const ColumnView& view, std::size_t work_bytes,
                   std::size_t coefficients) noexcept {
  const std::size_t columns = view.column.size();
  if (columns > k_lasso_columns_max || spec.nominal_rows == 0 || spec.nominal_rows > k_rows_max)
    return Status::bad_dimension;
  const std::size_t bytes_min = lasso_work_bytes(0, static_cast<std::uint32_t>(columns));
  return work_bytes < bytes_min || coefficients < columns ? Status::short_buffer : Status::ok;
}

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

Status lasso(const LassoSpec& spec, const ColumnView& view, const std::span<std::byte>& work,
             const std::span<std::int32_t>& beta_q24) noexcept {
  if (const Status s = lasso_check(spec, view, work.size(), beta_q24.size()); s != Status::ok) return s;
  Descent descent{view, spec.nominal_rows, work, spec.visits};
  (void)lasso_path(spec, 0, descent);
  descent.write(beta_q24);
  return Status::ok;
}

}  // namespace sotto
