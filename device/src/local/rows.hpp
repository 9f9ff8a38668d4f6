// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "q24_ops.hpp"
#include "sotto/local/samples.hpp"

namespace sotto {

/// Numbers read at a time through a hook.
inline constexpr std::uint32_t k_row_block = 32;

/// One feature of a row.
[[nodiscard]] inline Q15 sample_at(const Samples& samples, std::uint32_t row, std::uint32_t column) noexcept {
  if (samples.mapped != nullptr) return samples.mapped[std::size_t{row} * samples.stride + column];
  Q15 buffer = 0;
  return *sample_columns(samples, row, column, 1, &buffer);
}

/// Coordinates first .. first+count-1 of a row, at most k_row_block of them: of the chosen features, or of all when none is
/// chosen. In place, or in the buffer.
[[nodiscard]] const Q15* row_block(const Samples& samples, std::uint32_t row,
                                   const std::span<const std::uint16_t>& chosen, std::size_t first, std::size_t count,
                                   Q15* buffer) noexcept;

/// Calls see(j, x) for each of `count` coordinates of a row.
template <class See>
[[gnu::always_inline]] inline void see_row(const Samples& samples, std::uint32_t row,
                                           const std::span<const std::uint16_t>& chosen, std::size_t count,
                                           See see) noexcept {
  Q15 buffer[k_row_block];
  for (std::size_t j = 0; j < count;) {
    const std::size_t end = count - j < k_row_block ? count : j + k_row_block;
    const Q15* x = row_block(samples, row, chosen, j, end - j, buffer);
    do see(j++, *x++);
    while (j != end);
  }
}

/// Sums over rows as means: sum * 2^exponent / m, to nearest, by a reciprocal of 31 bits.
class NominalMean {
 public:
  [[gnu::noinline]] explicit NominalMean(std::uint32_t nominal_rows) noexcept
      : log2_(static_cast<std::uint32_t>(std::bit_width(nominal_rows)) - 1),
        inverse_(static_cast<std::uint32_t>(divide_floor(std::uint64_t{1} << (31 + log2_), nominal_rows))) {}

  /// |sum| <= 2^30, -31 < exponent <= 31 + log2(m): the product is at most 2^61.
  [[nodiscard, gnu::noinline]] std::int32_t of(std::int32_t sum, std::int32_t exponent) const noexcept {
    const auto product = static_cast<std::int64_t>(multiply_32(magnitude(sum), inverse_));
    const auto shift = static_cast<std::uint32_t>(static_cast<std::int32_t>(31 + log2_) - exponent);
    const std::int32_t mean = saturate(shift_right_round(product, shift), k_int32_max);
    return sum < 0 ? -mean : mean;
  }

 private:
  std::uint32_t log2_;
  std::uint32_t inverse_;  // 2^(31 + log2) / m, in (2^30, 2^31]
};

/// Whether every feature of a public list exists.
[[nodiscard]] inline bool features_exist(const std::span<const std::uint16_t>& features, std::uint32_t count) noexcept {
  bool all = true;
  for (const std::uint16_t f : features) all = all && f < count;
  return all;
}

}  // namespace sotto
