// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/residual.hpp"

#include "rows.hpp"

namespace sotto {

std::int32_t inner_product_q24(const Samples& samples, std::uint32_t row, const SparseModel& at) noexcept {
  ProductSum sum;  // Q39
  for (std::size_t k = 0; k < at.feature.size(); ++k) sum.add(sample_at(samples, row, at.feature[k]), at.value_q24[k]);
  return scale_saturate(sum.value(), -15, k_int32_max);
}

void residuals_q24(const Samples& samples, const SparseModel& at, const std::span<std::int32_t>& out) noexcept {
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (i >= samples.rows) {
      out[i] = 0;
      continue;
    }
    const std::int32_t target = sample_target(samples, i) * 512;  // Q15 to Q24
    out[i] = saturate(std::int64_t{target} - inner_product_q24(samples, i, at), k_int32_max);
  }
}

}  // namespace sotto
