// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/mean.hpp"

#include "rows.hpp"
#include "sotto/arithmetic/scale.hpp"

namespace sotto {

static_assert(k_rows_max * (std::uint64_t{1} << 15) <= std::uint64_t{1} << 30);  // the bound of divide_by_rows()

void divide_by_rows(std::uint32_t nominal_rows, std::int32_t exponent, const std::span<std::int32_t>& sums) noexcept {
  const auto log2 = static_cast<std::uint32_t>(std::bit_width(nominal_rows)) - 1;
  // 2^(31 + log2) / m, in (2^30, 2^31]
  const auto inverse = static_cast<std::uint32_t>(shifted_quotient(1, 31 + log2, nominal_rows));
  scale_all(sums, inverse, static_cast<std::uint32_t>(static_cast<std::int32_t>(31 + log2) - exponent),
            Rounding::nearest);
}

void add_row(const Samples& samples, std::uint32_t row, const std::span<const std::uint16_t>& chosen,
             std::int32_t factor, const std::span<std::int32_t>& sums) noexcept {
  std::int32_t* sum = sums.data();
  for (const std::uint16_t j : chosen) {
    *sum = add_product_floor(*sum, sample_at(samples, row, j), factor);
    ++sum;
  }
  if (!chosen.empty()) return;
  Q15 buffer[k_row_block];
  for (std::size_t j = 0; j < sums.size(); j += k_row_block) {
    const std::size_t left = sums.size() - j, count = left < k_row_block ? left : k_row_block;
    const Q15* x =
        sample_columns(samples, row, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(count), buffer);
    const Q15* const end = x + count;
    do {
      *sum = add_product_floor(*sum, *x++, factor);
      ++sum;
    } while (x != end);
  }
}

void column_means(std::uint32_t nominal_rows, const Samples& samples, const std::span<const std::uint16_t>& chosen,
                  const std::span<std::int32_t>& out_q24) noexcept {
  for (std::int32_t& sum : out_q24) sum = 0;
  for (std::uint32_t i = 0; i < samples.rows; ++i) add_row(samples, i, chosen, 65536, out_q24);  // factor 1.0 in Q16
  divide_by_rows(nominal_rows, 24 - 15, out_q24);
}

}  // namespace sotto
