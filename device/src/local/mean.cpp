// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/mean.hpp"

#include "rows.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/local/column.hpp"

namespace sotto {

static_assert(k_rows_max * (std::uint64_t{1} << 15) <= std::uint64_t{1} << 30);  // the bound of divide_by_rows()

void divide_by_rows(std::uint32_t nominal_rows, std::int32_t exponent, const std::span<std::int32_t>& sums) noexcept {
  const auto log2 = static_cast<std::uint32_t>(std::bit_width(nominal_rows)) - 1;
  // 2^(31 + log2) / m, in (2^30, 2^31]
  const auto inverse = static_cast<std::uint32_t>(shifted_quotient(1, 31 + log2, nominal_rows));
  scale_all(sums, inverse, static_cast<std::uint32_t>(static_cast<std::int32_t>(31 + log2) - exponent),
            Rounding::nearest);
}

void column_means(std::uint32_t nominal_rows, const Samples& samples, const SparseModel& at,
                  const std::span<const std::uint16_t>& chosen, Q15* buffer,
                  const std::span<std::int32_t>& out_q24) noexcept {
  std::size_t next = 0;  // of the model, whose features rise
  for (std::size_t k = 0; k < out_q24.size(); ++k) {
    const auto column = static_cast<std::uint32_t>(chosen.empty() ? k : chosen[k]);
    std::int64_t all = std::int64_t{column_sum(samples, column, buffer)} * 512;  // Q15 to Q24
    if (next < at.feature.size() && at.feature[next] == column)
      all -= multiply_signed(at.value_q24[next++], static_cast<std::int32_t>(samples.rows));
    const auto mean = static_cast<std::int64_t>(
        divide_short(static_cast<std::uint64_t>(all < 0 ? -all : all) + nominal_rows / 2, nominal_rows));
    out_q24[k] = saturate_int32(all < 0 ? -mean : mean);
  }
}

}  // namespace sotto
