// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// One column of a device's rows in the units that the estimators use: those that the study states, or centred and
/// scaled by the device.
///
/// In own units a reading x becomes (x - mean) / deviation, both taken over the rows that hold a reading, clipped at
/// +-32767; with the usual unit of 8192 that is four standard deviations. A reading is first placed between the
/// smallest and the largest of its column: t = 32767 (2 x - low - high) / (high - low), rounded to nearest, a half away
/// from zero. An affine change of the column with a positive factor, such as another unit, does not change t, and
/// therefore no bit of the report; a reflection changes the sign of t.

#include <cstddef>
#include <cstdint>

#include "sotto/local/samples.hpp"

namespace sotto {

/// The numbers of a column: number i is x[i * stride].
struct Column {
  const Q15* x;
  std::size_t stride;

  [[nodiscard]] Q15 operator[](std::size_t row) const noexcept { return x[row * stride]; }
};

/// Copies a column: number i is written to out[i * down]. A missing reading becomes 0, and so does a column that is
/// constant on this device. Reads every number once.
/// Takes    at most k_rows_max rows if the device centres them.
void copy_column(const Samples& samples, std::uint32_t column, Q15* out, std::size_t down) noexcept;

/// The column in place where the rows are in memory in stated units, else a copy in `buffer` (samples.rows numbers).
[[nodiscard]] Column column_of(const Samples& samples, std::uint32_t column, Q15* buffer) noexcept;

/// The sum of a column.
[[nodiscard]] std::int32_t column_sum(const Samples& samples, std::uint32_t column, Q15* buffer) noexcept;

/// The size of the buffer of column_of(), in numbers.
[[nodiscard]] constexpr std::size_t buffered_rows(RowUnits units, bool mapped, std::uint32_t rows) noexcept {
  return units == RowUnits::stated && mapped ? 0 : rows;
}

}  // namespace sotto
