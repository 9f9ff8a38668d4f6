// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/local/screen.hpp"

// Screening of columns that the device centres, or centres and scales: the scores follow from sums of the readings as
// they are. Only a column with a reading beyond four standard deviations, or a missing one, is read again.
namespace sotto {

/// What the sums of a column need beside ColumnSums.
struct ColumnExtent {
  std::int32_t sum;  ///< of the readings
  Q15 low, high;     ///< the smallest and the largest
};
inline constexpr ColumnExtent k_no_extent{0, 32767, -32768};

/// Adds rows of one column, `stride` numbers apart, one for each weight: the readings and their extremes.
void add_extent(const Q15* x, std::size_t stride, std::uint32_t rows, ColumnExtent& extent) noexcept;

/// All that is the same for every column.
struct OwnScreen {
  const ScreenSpec& spec;
  const Samples& samples;
  std::span<const Q15> weight;
  std::int32_t weight_sum;
};

/// The strength of a column, and whether its score is below zero. The sums lose what missing readings added.
[[nodiscard]] std::uint32_t own_strength(const OwnScreen& screen, std::uint32_t column, ColumnSums& sums,
                                         ColumnExtent& extent, bool& negative) noexcept;

}  // namespace sotto
