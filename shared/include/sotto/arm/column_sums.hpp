// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What one pass over a column of readings gathers. `portable` is the definition; cores with the DSP extension run
/// assembly that takes two rows at a time (shared/src/arm/column_sums.cpp), and tests/device/test_arm.cpp compares the
/// two on the core itself.

#include <cstddef>
#include <cstdint>

namespace sotto {

/// The sums of a column x with weights w, over at most 1024 rows: every product is at most 2^30.
struct ColumnSums {
  std::int64_t product;  ///< x'w, at most 2^40; with centred readings 2^50
  std::uint64_t square;  ///< |x|^2, at most 2^40; with centred readings 2^62.4
  // Only for readings that the device centres:
  std::int32_t sum = 0;
  std::int16_t low = 32767, high = -32768;  ///< the smallest and the largest
};

/// A reading widens the range.
constexpr void add_extreme(std::int16_t x, ColumnSums& sums) noexcept {
  sums.low = x < sums.low ? x : sums.low;
  sums.high = x > sums.high ? x : sums.high;
}

namespace portable {

/// Adds rows of a column, `stride` numbers apart.
constexpr void add_own_rows(const std::int16_t* x, std::size_t stride, const std::int16_t* weight, std::uint32_t rows,
                            ColumnSums& sums) noexcept {
  for (std::uint32_t i = 0; i < rows; ++i) {
    const std::int32_t a = x[i * stride];
    sums.product += a * weight[i];
    sums.square += static_cast<std::uint32_t>(a * a);
    sums.sum += a;
    add_extreme(x[i * stride], sums);
  }
}

/// How many rows of a column there are, of `rows` > 0, before the first reading below `low` or above low + span; low and
/// low + span are int16.
[[nodiscard]] constexpr std::uint32_t rows_within(const std::int16_t* x, std::size_t stride, std::uint32_t rows,
                                                  std::int32_t low, std::uint32_t span) noexcept {
  std::uint32_t row = 0;
  while (row < rows && static_cast<std::uint32_t>(x[row * stride] - low) <= span) ++row;
  return row;
}

}  // namespace portable

#if defined(__ARM_FEATURE_DSP)
namespace arm {
void add_own_rows(const std::int16_t* x, std::size_t stride, const std::int16_t* weight, std::uint32_t rows,
                  ColumnSums& sums) noexcept;
[[nodiscard]] std::uint32_t rows_within(const std::int16_t* x, std::size_t stride, std::uint32_t rows, std::int32_t low,
                                        std::uint32_t span) noexcept;
}  // namespace arm
#endif

}  // namespace sotto
