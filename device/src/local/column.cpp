// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/column.hpp"

#include "column_ops.hpp"
#include "rows.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

constexpr std::int32_t k_full = 32767;
static_assert(2u * k_full * k_full + k_full < std::uint32_t{1} << 31);       // |2 x - low - high| <= 2 k_full
static_assert((std::uint64_t{k_rows_max} << 15) <= std::uint64_t{1} << 25);  // the sum of a column
static_assert((std::uint64_t{k_rows_max} * k_rows_max << 30) <= std::uint64_t{1} << 50);  // its spread

/// t of column.hpp, from 2 x - low - high. By magnitudes, because signed division is another routine in flash.
[[nodiscard]] std::int32_t placed(std::int32_t off, std::uint32_t range) noexcept {
  const auto size = static_cast<std::int32_t>((magnitude(off) * k_full + range / 2) / range);
  return off < 0 ? -size : size;
}

/// The factor of n x - (sum of x) is multiplier / 2^shift.
struct Factor {
  std::uint32_t multiplier, shift;
};

/// unit / sqrt(spread), 0 < spread <= 2^50. The root has 31 bits: 2^15 * 2^46 / 2^30 is below 2^32.
[[nodiscard]] Factor inverse_deviation(std::uint64_t spread, std::uint32_t unit_q15) noexcept {
  const std::uint32_t exponent = (62 - signed_bits(static_cast<std::int64_t>(spread))) >> 1;
  const std::uint32_t root = root_floor(shift_left(spread, 2 * exponent));
  return {static_cast<std::uint32_t>(shifted_quotient(unit_q15, 46, root)), 46 - exponent};
}

}  // namespace

[[gnu::noinline]] void copy_column(const Samples& samples, std::uint32_t column, Q15* out, std::size_t down) noexcept {
  const Q15* const end = out + samples.rows * down;
  std::int32_t low = k_full, high = -k_full;
  Q15* to = out;
  for (std::uint32_t i = 0; i < samples.rows; ++i, to += down) {
    const std::int32_t x = *to = sample_at(samples, i, column);
    if (x == k_missing_reading) continue;
    low = x < low ? x : low;
    high = x > high ? x : high;
  }
  if (samples.units == RowUnits::stated) return;
  const bool own = samples.units == RowUnits::own;
  std::uint32_t held = 0;
  std::int32_t sum = 0;
  std::uint64_t square = 0;
  for (to = out; to != end; to += down) {
    std::int32_t x = *to;
    if (own) {
      if (x == k_missing_reading) continue;
      if (low < high) *to = static_cast<Q15>(x = placed(2 * x - low - high, static_cast<std::uint32_t>(high - low)));
    }
    ++held;
    sum += x;
    square += static_cast<std::uint32_t>(x * x);
  }
  const std::uint64_t spread = held * square - multiply_32(magnitude(sum), magnitude(sum));
  Factor factor{0, 1};
  if (spread != 0) factor = own ? inverse_deviation(spread, samples.unit_q15) : Factor{0x80000000u / held, 31};
  for (to = out; to != end; to += down) {
    // |n x - sum| is below 2^26
    const std::int32_t away = own && *to == k_missing_reading ? 0 : static_cast<std::int32_t>(held) * *to - sum;
    *to = static_cast<Q15>(saturate(scale_one(away, factor.multiplier, factor.shift, Rounding::nearest), k_full));
  }
}

Column column_of(const Samples& samples, std::uint32_t column, Q15* buffer) noexcept {
  if (samples.mapped != nullptr && samples.units == RowUnits::stated) return {samples.mapped + column, samples.stride};
  copy_column(samples, column, buffer, 1);
  return {buffer, 1};
}

std::int32_t column_sum(const Samples& samples, std::uint32_t column, Q15* buffer) noexcept {
  auto [x, stride] = column_of(samples, column, buffer);
  std::int32_t sum = 0;
  for (std::uint32_t left = samples.rows; left != 0; --left, x = next_row(x, stride)) sum += *x;
  return sum;
}

}  // namespace sotto
