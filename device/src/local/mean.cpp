// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/mean.hpp"

#include "rows.hpp"

namespace sotto {

static_assert(k_rows_max * (std::uint64_t{1} << 15) <= std::uint64_t{1} << 30);  // what divide_by_rows() takes

namespace {

// Out of line, so that the loop has the registers for itself.
[[gnu::noinline]] void add_numbers(std::int32_t* sum, const Q15* x, std::size_t count) noexcept {
  const Q15* const end = x + count;  // count is not 0
  do *sum++ += *x++;
  while (x != end);
}

}  // namespace

void divide_by_rows(std::uint32_t nominal_rows, std::int32_t exponent, const std::span<std::int32_t>& sums) noexcept {
  const auto log2 = static_cast<std::uint32_t>(std::bit_width(nominal_rows)) - 1;
  // 2^(31 + log2) / m, in (2^30, 2^31]
  const auto inverse = static_cast<std::uint32_t>(divide_floor(std::uint64_t{1} << (31 + log2), nominal_rows));
  const auto shift = static_cast<std::uint32_t>(static_cast<std::int32_t>(31 + log2) - exponent);
  for (std::int32_t& sum : sums) {
    const auto product = static_cast<std::int64_t>(multiply_32(magnitude(sum), inverse));
    const std::int32_t mean = saturate(shift_right_round(product, shift), k_int32_max);
    sum = sum < 0 ? -mean : mean;
  }
}

Status column_means(std::uint32_t nominal_rows, const Samples& samples, const std::span<const std::uint16_t>& chosen,
                    const std::span<std::int32_t>& out_q24) noexcept {
  if (nominal_rows == 0 || nominal_rows > k_rows_max || samples.features > k_features_max ||
      !features_exist(chosen, samples.features)) {
    return Status::bad_dimension;
  }
  if (out_q24.size() != (chosen.empty() ? samples.features : chosen.size())) return Status::short_buffer;
  for (std::int32_t& sum : out_q24) sum = 0;
  const std::uint32_t rows = samples.rows < nominal_rows ? samples.rows : nominal_rows;
  for (std::uint32_t i = 0; i < rows; ++i) {
    see_row(samples, i, chosen, out_q24.size(),
            [&](std::size_t j, const Q15* x, std::size_t size) noexcept { add_numbers(out_q24.data() + j, x, size); });
  }
  divide_by_rows(nominal_rows, 24 - 15, out_q24);
  return Status::ok;
}

}  // namespace sotto
