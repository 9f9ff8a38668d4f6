// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "column_sums.hpp"
#include "sotto/local/screen.hpp"

// Screening of columns that the device centres, or centres and scales: the scores follow from sums of the readings as
// they are. Only a column with a reading beyond four standard deviations, or a missing one, is read again.
namespace sotto {

/// All that is the same for every column.
struct OwnScreen {
  const ScreenSpec& spec;
  const Samples& samples;
  std::span<const Q15> weight;
  std::int32_t weight_sum;
  std::uint64_t ridge;
};

/// The strength of a column in centred or own units.
[[nodiscard]] std::uint32_t own_strength(const OwnScreen& screen, std::uint32_t column,
                                         const ColumnSums& sums) noexcept;

}  // namespace sotto
