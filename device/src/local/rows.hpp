// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/samples.hpp"

namespace sotto {

/// How many numbers are read at a time through a hook.
inline constexpr std::uint32_t k_row_block = 32;

/// One feature of a row.
[[nodiscard]] inline Q15 sample_at(const Samples& samples, std::uint32_t row, std::uint32_t column) noexcept {
  if (samples.mapped != nullptr) return samples.mapped[std::size_t{row} * samples.stride + column];
  Q15 buffer = 0;
  return *sample_columns(samples, row, column, 1, &buffer);
}

/// Reads the features of a row one after the other, then zeros. A row that the device does not hold is zeros.
class RowReader {
 public:
  RowReader(const Samples& samples, std::uint32_t row) noexcept
      : samples_(samples), row_(row), end_(row < samples.rows ? samples.features : 0) {}

  [[nodiscard]] Q15 next() noexcept;

 private:
  const Samples& samples_;
  std::uint32_t row_, end_, next_ = 0;
  const Q15* block_ = nullptr;
  Q15 buffer_[k_row_block];
};

/// Converts sums over rows to means: sum * 2^exponent / m, rounded to nearest, by a reciprocal of 31 bits. |sum| <=
/// 2^30, -31 < exponent <= 31 + log2(m): products are at most 2^61.
void divide_by_rows(std::uint32_t nominal_rows, std::int32_t exponent, const std::span<std::int32_t>& sums) noexcept;

}  // namespace sotto
