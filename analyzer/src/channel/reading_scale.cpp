// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/reading_scale.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sotto::analyzer {

Result<ReadingScale> reading_scale(double offset, double scale) {
  if (!std::isfinite(scale) || std::abs(scale) < std::ldexp(1, -14) || std::abs(scale) > std::ldexp(1, 44)) {
    return Error{"study.bad_scale", "the scale of a feature is zero or out of range", fmt::format("{}", scale),
                 "give the distance from the offset at which a scaled reading is 1, from 2^-14 to 2^44 in size"};
  }
  if (!std::isfinite(offset) || std::abs(offset) > std::ldexp(1, 31) || std::abs(offset / scale) > std::ldexp(1, 28)) {
    return Error{"study.bad_offset", "the offset of a feature is not finite or out of range", fmt::format("{}", offset),
                 "give an offset within the range of 32-bit readings and within 2^28 scales of zero"};
  }
  // 32768/scale = multiplier / 2^shift. The multiplier has up to 31 bits, so rounding it changes the result by 2^-31.
  const double factor = 32768 / scale;
  int exponent = 0;
  (void)std::frexp(factor, &exponent);  // |factor| < 2^exponent
  const int shift = 30 - exponent < 0 ? 0 : 30 - exponent > 60 ? 60 : 30 - exponent;
  const auto multiplier = static_cast<std::int32_t>(std::llround(std::ldexp(factor, shift)));
  const auto product_offset = static_cast<std::int64_t>(std::llround(-offset * static_cast<double>(multiplier)));
  return ReadingScale{product_offset, multiplier, static_cast<std::uint32_t>(shift)};
}

}  // namespace sotto::analyzer
