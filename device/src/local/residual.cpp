// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/residual.hpp"

#include "rows.hpp"
#include "sotto/local/own_scale.hpp"

namespace sotto {

std::int32_t inner_product_q24(const Samples& samples, std::uint32_t row, const SparseModel& at) noexcept {
  ProductSum sum;  // Q39
  for (std::size_t k = 0; k < at.feature.size(); ++k) sum.add(sample_at(samples, row, at.feature[k]), at.value_q24[k]);
  return scale_saturate(sum.value(), -15, k_int32_max);
}

void own_fits_q24(const Samples& samples, const SparseModel& at, const std::span<std::int32_t>& out) noexcept {
  for (std::int32_t& fit : out) fit = 0;
  for (std::size_t k = 0; k < at.feature.size(); ++k) {
    const OwnScale scale = own_scale(samples, at.feature[k]);
    for (std::uint32_t i = 0; i < out.size() && i < samples.rows; ++i) {
      const Q15 x = own_value(scale, sample_at(samples, i, at.feature[k]));
      out[i] = saturate(out[i] + shift_right_round(multiply_signed(x, at.value_q24[k]), 15), k_int32_max);
    }
  }
}

void residuals_q24(const Samples& samples, const SparseModel& at, const std::span<std::int32_t>& out) noexcept {
  const bool stated = samples.units == RowUnits::stated;
  const OwnScale scale = own_scale(samples, samples.features);
  if (!stated) own_fits_q24(samples, at, out);
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const Q15 reading = i < samples.rows ? sample_target(samples, i) : Q15{0};
    if (i >= samples.rows || is_missing(samples, reading)) {
      out[i] = 0;
      continue;
    }
    const std::int32_t target = own_value(scale, reading) * 512;  // Q15 to Q24
    out[i] = saturate(std::int64_t{target} - (stated ? inner_product_q24(samples, i, at) : out[i]), k_int32_max);
  }
}

}  // namespace sotto
