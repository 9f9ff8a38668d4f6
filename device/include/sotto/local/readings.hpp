// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Conversion of sensor readings to the 16-bit numbers of a row: by the study's public scale, or, where devices use
/// their own units, by the range of the readings themselves.

#include <cstdint>

#include "sotto/fixed.hpp"
#include "sotto/reading_scale.hpp"

namespace sotto {

/// A reading as Q15. Any reading has an answer. Takes the scales that decode_manifest() lets through: their bounds are
/// in ReadingScale.
[[nodiscard]] Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept;

/// The value of a missing reading of 32 bits.
inline constexpr std::int32_t k_missing_wide_reading = -0x7fffffff - 1;

/// The smallest and the largest reading of a column on this device; empty before the first one.
struct [[gnu::may_alias]] ReadingRange {
  std::int32_t low = 0x7fffffff, high = k_missing_wide_reading;
};

/// Extends the range to a reading; a missing one is ignored.
void widen(ReadingRange& range, std::int32_t reading) noexcept;

/// A reading of 32 bits placed in the range of its column, for rows in own units: 32767 (2 x - low - high) / (high -
/// low), rounded to nearest, a half away from zero, saturating; 0 where the range has no width; k_missing_reading for
/// k_missing_wide_reading. Columns in own units are placed in the same way before anything else is computed
/// (column.hpp); placing a reading a second time does not change it.
[[nodiscard]] Q15 place_saturate(const ReadingRange& range, std::int32_t reading) noexcept;

}  // namespace sotto
