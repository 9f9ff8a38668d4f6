// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/mean.hpp"

#include "column_ops.hpp"
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

void column_means(std::uint32_t nominal_rows, const Samples& samples, const std::span<const std::uint16_t>& chosen,
                  Q15* buffer, const std::span<std::int32_t>& out_q24) noexcept {
  for (std::size_t k = 0; k < out_q24.size(); ++k) {
    auto [x, stride] = column_of(samples, static_cast<std::uint32_t>(chosen.empty() ? k : chosen[k]), buffer);
    std::int32_t sum = 0;
    for (std::uint32_t left = samples.rows; left != 0; --left, x = next_row(x, stride)) sum += *x;
    out_q24[k] = sum;
  }
  divide_by_rows(nominal_rows, 24 - 15, out_q24);
}

}  // namespace sotto
