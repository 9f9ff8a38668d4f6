// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "own_screen.hpp"

#include "column_ops.hpp"
#include "rows.hpp"
#include "sotto/arithmetic/scale.hpp"

namespace sotto {
namespace {

// With n readings held, a_i = n x_i - (sum of x) and V = (sum of a_i^2) / n, a reading is a_i / sqrt(V) standard
// deviations from the mean. Rounding must not tell one affine image of a column from another: all that is rounded is a
// ratio to the range of the readings, or its square, which are the same for all images.
constexpr std::uint32_t k_bits = 6;  // of the fraction of a_i / range; twice as many of V / range^2

/// Takes the missing readings off the sums again, and finds the extremes of the others. Returns how many these are.
[[nodiscard, gnu::noinline]] std::uint32_t leave_out_missing(const OwnScreen& screen, std::uint32_t column,
                                                             ColumnSums& sums, std::int32_t& weight_sum) noexcept {
  std::uint32_t held = 0;
  sums.low = 32767;
  for (std::uint32_t i = 0; i < screen.weight.size(); ++i) {
    const Q15 x = sample_at(screen.samples, i, column);
    const std::int32_t w = screen.weight[i];
    if (x == k_missing_reading) {
      weight_sum -= w;
      sums.product -= x * w;
      sums.square -= static_cast<std::uint32_t>(x * x);
      sums.sum -= x;
    } else {
      ++held;
      add_extreme(x, sums);
    }
  }
  return held;
}

/// The sums of a column in units of its range.
struct Scaled {
  std::uint32_t range;   ///< of the readings
  std::uint32_t four;    ///< four standard deviations, below 2^16
  std::int64_t product;  ///< sum of a_i w_i, at most 2^41
  std::uint64_t square;  ///< sum of a_i^2, at most 2^40
};

/// Readings beyond four deviations become four deviations. The column is read again: a hook that answers otherwise this
/// time gives another score, which is as good as any, so sums wrap.
[[gnu::noinline]] void clip(const OwnScreen& screen, std::uint32_t column, std::uint32_t held, std::int32_t sum,
                            Scaled& scaled) noexcept {
  const std::uint32_t range = scaled.range, reach = scaled.four * range >> k_bits;  // below 2^26
  const Q15* mapped = screen.samples.mapped == nullptr ? nullptr : screen.samples.mapped + column;
  const std::size_t stride = screen.samples.stride;
  const Q15 *const begin = screen.weight.data(), *const end = begin + screen.weight.size();
  for (const Q15* w = begin; w != end; ++w) {
    std::int32_t x = 0;
    if (mapped != nullptr) {
      x = *mapped;
      mapped = next_row(mapped, stride);
    } else {
      x = sample_at(screen.samples, static_cast<std::uint32_t>(w - begin), column);
    }
    const std::int32_t away = static_cast<std::int32_t>(held) * x - sum;  // at most 2^26
    if (static_cast<std::uint32_t>(away) + reach <= 2 * reach || x == k_missing_reading) continue;
    // One bit less than there is room for, then the same scale as all others.
    const std::uint32_t size = (magnitude(away) << (k_bits - 1)) / range << 1;  // below 2^17
    const std::uint32_t excess = size - scaled.four;
    scaled.product -= multiply_signed(static_cast<std::int32_t>(away < 0 ? 0u - excess : excess), *w);
    scaled.square -= static_cast<std::uint64_t>(
        multiply_signed(static_cast<std::int32_t>(excess), static_cast<std::int32_t>(size + scaled.four)));
  }
}

}  // namespace

[[gnu::noinline]] std::uint32_t own_strength(const OwnScreen& screen, std::uint32_t column, ColumnSums& sums) noexcept {
  auto held = static_cast<std::uint32_t>(screen.weight.size());
  std::int32_t weight_sum = screen.weight_sum;
  const bool own = screen.samples.units == RowUnits::own;
  if (own && sums.low == k_missing_reading) held = leave_out_missing(screen, column, sums, weight_sum);
  const auto n = static_cast<std::int32_t>(held);
  const std::int64_t product = n * sums.product - multiply_signed(sums.sum, weight_sum);  // at most 2^50
  const std::uint64_t spread = held * sums.square - multiply_32(magnitude(sums.sum), magnitude(sums.sum));  // V
  const auto range = static_cast<std::uint32_t>(sums.high - sums.low);
  if (product == 0 || range == 0) return 0;
  if (!own) {  // X'w = product / n, |X|^2 = spread / n: both sides times n^2; the ridge is at most 2^57
    return screen_strength({product, held * spread}, held * (held * screen.ridge));
  }
  const bool negative = product < 0;
  const auto size = static_cast<std::int64_t>(
      divide_short(static_cast<std::uint64_t>(negative ? -product : product) << k_bits, range));
  // V / range^2 is at least n / 2 and at most n^2 / 4.
  const auto variance = static_cast<std::uint32_t>(divide_short(divide_short(spread << 2 * k_bits, range), range));
  Scaled scaled{range, 0, negative ? -size : size, multiply_32(held, variance)};
  const std::int32_t below = sums.sum - n * sums.low, above = n * sums.high - sums.sum;
  const auto farthest = static_cast<std::uint32_t>(below > above ? below : above);
  if (multiply_32(farthest, farthest) > 16 * spread) {
    scaled.four = root_floor(variance << 2) << 1;  // V / range^2 is below n^2 / 16 then
    clip(screen, column, held, sums.sum, scaled);
  }
  // (X'w)^2 / (|X|^2 + 0.1 m) with X = a / sqrt(V), both sides times 5 V.
  return screen_strength({scaled.product, 5 * scaled.square}, multiply_32(screen.spec.nominal_rows, variance) >> 1);
}

}  // namespace sotto
