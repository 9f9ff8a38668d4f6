// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/readings.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/row_units.hpp"
#include "sotto/wide.hpp"

namespace sotto {

Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept {
  const auto product = static_cast<std::int64_t>(multiply_32(magnitude(reading), magnitude(scale.multiplier)));
  const std::int64_t wide = ((reading < 0) != (scale.multiplier < 0) ? -product : product) + scale.offset;
  const std::int32_t rounded = saturate(shift_right_round(wide, scale.shift), 32768);  // |wide| <= 2^62 + 2^61
  return static_cast<Q15>(rounded > 32767 ? 32767 : rounded);
}

void widen(ReadingRange& range, std::int32_t reading) noexcept {
  if (reading == k_missing_wide_reading) return;
  range.low = reading < range.low ? reading : range.low;
  range.high = reading > range.high ? reading : range.high;
}

Q15 place_saturate(const ReadingRange& range, std::int32_t reading) noexcept {
  if (reading == k_missing_wide_reading) return k_missing_reading;
  if (range.low >= range.high) return 0;
  const auto width = static_cast<std::uint64_t>(std::int64_t{range.high} - range.low);  // below 2^32
  const std::int64_t off = 2 * std::int64_t{reading} - range.low - range.high;
  auto size = static_cast<std::uint64_t>(off < 0 ? -off : off);
  if (size > width) size = width;
  const auto placed = static_cast<std::int32_t>(divide_floor(size * 32767 + width / 2, width));
  return static_cast<Q15>(off < 0 ? -placed : placed);
}

}  // namespace sotto
