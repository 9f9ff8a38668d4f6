// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/readings.hpp"

#include "sotto/wide.hpp"

namespace sotto {

Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept {
  constexpr std::int64_t k_offset_max = std::int64_t{1} << 61;
  constexpr std::uint32_t k_shift_max = 61;
  const std::uint32_t shift = scale.shift < k_shift_max ? scale.shift : k_shift_max;
  const std::int64_t low = scale.offset < -k_offset_max ? -k_offset_max : scale.offset;
  const std::int64_t offset = low > k_offset_max ? k_offset_max : low;
  const auto product = static_cast<std::int64_t>(multiply_32(magnitude(reading), magnitude(scale.multiplier)));
  const std::int64_t half = shift == 0 ? 0 : std::int64_t{1} << (shift - 1);
  // 2^62 + 2^61 + 2^60 is below 2^63.
  const std::int64_t wide = (((reading < 0) != (scale.multiplier < 0) ? -product : product) + offset + half) >> shift;
  if (wide > 32767) return 32767;
  return wide < -32768 ? Q15{-32768} : static_cast<Q15>(wide);
}

}  // namespace sotto
