// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/readings.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/wide.hpp"

namespace sotto {

Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept {
  const auto product = static_cast<std::int64_t>(multiply_32(magnitude(reading), magnitude(scale.multiplier)));
  const std::int64_t wide = ((reading < 0) != (scale.multiplier < 0) ? -product : product) + scale.offset;
  const std::int32_t rounded = saturate(shift_right_round(wide, scale.shift), 32768);  // |wide| <= 2^62 + 2^61
  return static_cast<Q15>(rounded > 32767 ? 32767 : rounded);
}

}  // namespace sotto
