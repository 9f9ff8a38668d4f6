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

/// Calls see(j, x) for coordinate j of a row: the chosen features, or all when none is chosen.
template <class See>
[[gnu::always_inline]] inline void see_row(const Samples& samples, std::uint32_t row,
                                           std::span<const std::uint16_t> chosen, See see) noexcept {
  const std::size_t count = chosen.size();
  for (std::size_t j = 0; j < count; ++j) see(j, sample_at(samples, row, chosen[j]));
  if (count != 0) return;
  Q15 buffer[k_row_block];
  const std::uint32_t block = samples.mapped != nullptr ? samples.features : k_row_block;
  for (std::uint32_t first = 0; first < samples.features; first += block) {
    const std::uint32_t left = samples.features - first, size = left < block ? left : block;
    const Q15* x = sample_columns(samples, row, first, size, buffer);
    std::size_t j = first;
    const Q15* const end = x + size;
    do see(j++, *x++);
    while (x != end);
  }
}

/// Sums over rows as means: sum * 2^exponent / m, to nearest, by a reciprocal of 31 bits.
class NominalMean {
 public:
  explicit NominalMean(std::uint32_t nominal_rows) noexcept
      : log2_(static_cast<std::uint32_t>(std::bit_width(nominal_rows)) - 1),
        inverse_(static_cast<std::uint32_t>(divide_floor(std::uint64_t{1} << (31 + log2_), nominal_rows))) {}

  /// |sum| <= 2^30, -31 < exponent <= 31 + log2(m): the product is at most 2^61.
  [[nodiscard]] std::int32_t of(std::int32_t sum, std::int32_t exponent) const noexcept {
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
[[nodiscard]] inline bool features_exist(std::span<const std::uint16_t> features, std::uint32_t count) noexcept {
  bool all = true;
  for (const std::uint16_t f : features) all = all && f < count;
  return all;
}

}  // namespace sotto
