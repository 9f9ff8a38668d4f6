// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/screen.hpp"

// One pass over all columns, each with its sums against the target or a residual: screening and scores.
namespace sotto {

/// Adds rows of one column, `stride` numbers apart, one for each weight.
void add_rows(const Q15* x, std::size_t stride, std::span<const Q15> weight, ColumnSums& sums) noexcept;

/// Memory of a pass, cut from screen_work_bytes(); rows beyond what it holds are left out.
struct ColumnSpace {
  std::span<ColumnSums> sums;   ///< of a block of columns; none for mapped rows
  std::span<Q15> block;         ///< rows from a hook
  std::span<const Q15> weight;  ///< the target, or the residual rounded to the 15 bits below its largest entry
};
[[nodiscard]] ColumnSpace cut_columns(const Samples& samples, std::span<const std::int32_t> residual_q24,
                                      std::span<std::byte> work) noexcept;

/// Calls see(column, sums) for every column, by rising number.
template <class See>
void see_columns(const Samples& samples, const ColumnSpace& space, See see) noexcept {
  if (samples.mapped != nullptr) {  // column by column, the sums in registers
    for (std::uint32_t j = 0; j < samples.features; ++j) {
      ColumnSums column{};
      add_rows(samples.mapped + j, samples.stride, space.weight, column);
      see(j, column);
    }
    return;
  }
  const std::size_t rows = space.weight.size();
  for (std::uint32_t first = 0; first < samples.features; first += k_screen_block) {
    const std::uint32_t left = samples.features - first, count = left < k_screen_block ? left : k_screen_block;
    for (ColumnSums& column : space.sums) column = {};
    for (std::size_t row = 0; row < rows; row += k_screen_group) {
      const std::size_t group = rows - row < k_screen_group ? rows - row : k_screen_group;
      for (std::size_t i = 0; i < group; ++i) {
        (void)sample_columns(samples, static_cast<std::uint32_t>(row + i), first, count,
                             &space.block[i * k_screen_block]);
      }
      for (std::uint32_t j = 0; j < count; ++j)
        add_rows(&space.block[j], k_screen_block, space.weight.subspan(row, group), space.sums[j]);
    }
    for (std::uint32_t j = 0; j < count; ++j) see(first + j, space.sums[j]);
  }
}

}  // namespace sotto
