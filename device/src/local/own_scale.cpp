// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/own_scale.hpp"

#include "rows.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/wide.hpp"

namespace sotto {

static_assert((std::uint64_t{k_rows_max} << 15) <= std::uint64_t{1} << 25);  // ReadingSums::sum
static_assert((std::uint64_t{k_rows_max} << 30) <= std::uint64_t{1} << 40);  // ReadingSums::square

[[gnu::noinline]] std::uint64_t ReadingSums::spread() const noexcept {
  return held * square - multiply_32(magnitude(sum), magnitude(sum));
}

[[gnu::noinline]] std::uint32_t common_step(const Samples& samples, std::uint32_t column) noexcept {
  std::uint32_t step = 0;
  std::int32_t first = k_missing_reading;
  for (std::uint32_t i = 0; i < samples.rows && step != 1; ++i) {
    const std::int32_t x = sample_at(samples, i, column);
    if (x == k_missing_reading) continue;
    if (first == k_missing_reading) first = x;
    std::uint32_t rest = magnitude(x - first);
    if (step != 0) rest %= step;  // Euclid's algorithm; most often nothing is left
    while (rest != 0) {
      const std::uint32_t next = step == 0 ? 0 : step % rest;
      step = rest;
      rest = next;
    }
  }
  return step == 0 ? 1 : step;
}

[[gnu::noinline]] std::uint64_t divide_short(std::uint64_t n, std::uint32_t d) noexcept {
  std::uint64_t quotient = 0;
  std::uint32_t rest = 0;
  for (int digit = 0; digit < 4; ++digit, n <<= 16) {  // of 16 bits
    rest = rest << 16 | static_cast<std::uint32_t>(n >> 48);
    quotient = quotient << 16 | rest / d;
    rest %= d;
  }
  return quotient;
}

[[gnu::noinline]] std::int32_t divide_exact(std::int32_t v, std::uint32_t d) noexcept {
  const auto size = static_cast<std::int32_t>(magnitude(v) / d);
  return v < 0 ? -size : size;
}

[[gnu::noinline]] NormalRoot normal_root(std::uint64_t v) noexcept {
  const std::uint32_t exponent = (62 - signed_bits(static_cast<std::int64_t>(v))) >> 1;
  return {root_floor(shift_left(v, 2 * exponent)), exponent};
}

// Out of line, here and above: many callers, and none of them minds.
[[gnu::noinline]] OwnScale own_scale(const Samples& samples, std::uint32_t column) noexcept {
  OwnScale scale;
  scale.units = samples.units;
  if (samples.units == RowUnits::stated) return scale;
  ReadingSums sums;
  for (std::uint32_t i = 0; i < samples.rows; ++i) {
    const std::int32_t x = sample_at(samples, i, column);
    if (samples.units == RowUnits::own && x == k_missing_reading) continue;
    ++sums.held;
    sums.sum += x;
    sums.square += static_cast<std::uint32_t>(x * x);
  }
  scale.held = sums.held;
  scale.sum = sums.sum;
  const std::uint64_t spread = sums.spread();
  if (spread == 0) return scale;
  if (samples.units == RowUnits::centred) {
    scale.factor = 0x80000000u / sums.held;  // n x - sum, over n
    scale.shift = 31;
    return scale;
  }
  scale.step = common_step(samples, column);
  // With the step taken off twice, the spread is that of the column's simplest affine image.
  const NormalRoot deviation = normal_root(divide_short(divide_short(spread, scale.step), scale.step));
  // unit * 2^46 / root is below 2^15 * 2^46 / 2^30.
  scale.factor = static_cast<std::uint32_t>(shifted_quotient(samples.unit_q15, 46, deviation.root));
  scale.shift = 46 - deviation.exponent;
  return scale;
}

[[gnu::noinline]] Q15 own_value(const OwnScale& scale, Q15 reading) noexcept {
  if (scale.units == RowUnits::stated) return reading;
  if (scale.units == RowUnits::own && reading == k_missing_reading) return 0;
  std::int32_t away = static_cast<std::int32_t>(scale.held) * reading - scale.sum;  // below 2^26
  if (scale.step != 1) away = divide_exact(away, scale.step);
  return static_cast<Q15>(saturate(scale_one(away, scale.factor, scale.shift, Rounding::nearest), 32767));
}

}  // namespace sotto
