// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/residual.hpp"

#include "rows.hpp"
#include "sotto/local/column.hpp"

namespace sotto {

std::int32_t inner_product_q24(const Samples& samples, std::uint32_t row, const SparseModel& at) noexcept {
  ProductSum sum;  // Q39
  for (std::size_t k = 0; k < at.feature.size(); ++k) sum.add(sample_at(samples, row, at.feature[k]), at.value_q24[k]);
  return scale_saturate(sum.value(), -15, k_int32_max);
}

void fits_q24(const Samples& samples, const SparseModel& at, Q15* column, std::int32_t* out) noexcept {
  const bool stated = samples.units == RowUnits::stated;
  for (std::uint32_t i = 0; i < samples.rows; ++i) out[i] = stated ? inner_product_q24(samples, i, at) : 0;
  for (std::size_t k = 0; k < at.feature.size() && !stated; ++k) {
    copy_column(samples, at.feature[k], column, 1);
    for (std::uint32_t i = 0; i < samples.rows; ++i)
      out[i] = saturate_int32(out[i] + shift_right_round(multiply_signed(column[i], at.value_q24[k]), 15));
  }
}

void residuals_q24(const Samples& samples, const SparseModel& at, Q15* column, std::int32_t* out) noexcept {
  fits_q24(samples, at, column, out);
  const Column target = column_of(samples, samples.features, column);
  for (std::uint32_t i = 0; i < samples.rows; ++i)
    out[i] = target_is_missing(samples, i) ? 0 : saturate_int32(std::int64_t{target[i] * 512} - out[i]);  // Q15 to Q24
}

}  // namespace sotto
