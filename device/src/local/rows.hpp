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

/// Some features of a row, into `out`.
void gather_row(const Samples& samples, std::uint32_t row, const std::uint16_t* feature, std::size_t count,
                Q15* out) noexcept;

/// Calls see(j, x, size) for one block after the other of a row's `count` coordinates: x[0 .. size-1] are those from j on. The
/// coordinates are the chosen features, or all when none is chosen.
template <class See>
[[gnu::always_inline]] inline void see_row(const Samples& samples, std::uint32_t row,
                                           const std::span<const std::uint16_t>& chosen, std::size_t count,
                                           See see) noexcept {
  Q15 buffer[k_row_block];
  const std::size_t block = samples.mapped != nullptr && chosen.empty() ? count : k_row_block;
  for (std::size_t j = 0; j < count; j += block) {
    const std::size_t size = count - j < block ? count - j : block;
    const Q15* x = buffer;
    if (chosen.empty()) {
      x = sample_columns(samples, row, static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(size), buffer);
    } else {
      gather_row(samples, row, chosen.data() + j, size, buffer);
    }
    see(j, x, size);
  }
}

/// Sums over rows become means: sum * 2^exponent / m, to nearest, by a reciprocal of 31 bits.
/// |sum| <= 2^30, -31 < exponent <= 31 + log2(m): products are at most 2^61.
void divide_by_rows(std::uint32_t nominal_rows, std::int32_t exponent, const std::span<std::int32_t>& sums) noexcept;

/// Whether every feature of a public list exists.
[[nodiscard]] inline bool features_exist(const std::span<const std::uint16_t>& features, std::uint32_t count) noexcept {
  bool all = true;
  for (const std::uint16_t f : features) all = all && f < count;
  return all;
}

}  // namespace sotto
