// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "own_screen.hpp"

#include "column_ops.hpp"
#include "rows.hpp"
#include "sotto/local/own_scale.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_clip_deviations = 4;
// The bound of a clipped column has at least 18 bits, so that a coarse one does not move it.
constexpr std::uint32_t k_bound_shift = 13;

/// A column, centred: of a_i = (n x_i - (sum of x)) / step.
struct Centred {
  std::int64_t product;  ///< sum of a_i w_i, at most 2^50
  std::uint64_t spread;  ///< sum of a_i^2 / n, at most 2^50
  std::uint64_t square;  ///< sum of a_i^2
  std::uint32_t step;
};

/// Sums and extremes over the rows that hold a reading. Returns how many these are.
[[nodiscard, gnu::noinline]] std::uint32_t leave_out_missing(const OwnScreen& screen, std::uint32_t column,
                                                             ColumnSums& sums, ColumnExtent& extent,
                                                             std::int32_t& weight_sum) noexcept {
  std::uint32_t held = 0;
  sums.product = 0;
  sums.square = 0;
  extent = k_no_extent;
  weight_sum = 0;
  for (std::uint32_t i = 0; i < screen.weight.size(); ++i) {
    const Q15 x = sample_at(screen.samples, i, column);
    if (x == k_missing_reading) continue;
    const std::int32_t w = screen.weight[i];
    ++held;
    weight_sum += w;
    sums.product += x * w;
    sums.square += static_cast<std::uint32_t>(x * x);
    add_extent(&x, 1, 1, extent);
  }
  return held;
}

/// Readings beyond four deviations become four deviations. All sums are scaled up where the column is coarse. The column
/// is read again: a hook that answers otherwise this time gives another score, which is as good as any, so differences
/// wrap.
[[gnu::noinline]] void clip(const OwnScreen& screen, std::uint32_t column, std::uint32_t held, std::int32_t sum,
                            Centred& c) noexcept {
  const NormalRoot deviation = normal_root(c.spread);
  const std::uint32_t finer = deviation.exponent > k_bound_shift ? deviation.exponent - k_bound_shift : 0;
  const auto bound = static_cast<std::int32_t>(deviation.root >> (deviation.exponent - finer - 2));  // below 2^28
  const std::uint32_t reach = (static_cast<std::uint32_t>(bound) >> finer) * c.step;                 // at most 4 n 2^15
  c.product *= std::int64_t{1} << finer;
  c.square <<= 2 * finer;
  c.spread <<= 2 * finer;
  for (std::uint32_t i = 0; i < screen.weight.size(); ++i) {
    const std::int32_t x = sample_at(screen.samples, i, column);
    const std::int32_t away = static_cast<std::int32_t>(held) * x - sum;
    if (static_cast<std::uint32_t>(away) + reach <= 2 * reach || x == k_missing_reading) continue;
    const std::uint32_t fine = static_cast<std::uint32_t>(divide_exact(away, c.step)) << finer;
    const auto kept = static_cast<std::uint32_t>(away < 0 ? -bound : bound);
    const auto less = static_cast<std::int32_t>(fine - kept), more = static_cast<std::int32_t>(fine + kept);
    c.product -= multiply_signed(less, screen.weight[i]);
    c.square -= static_cast<std::uint64_t>(multiply_signed(less, more));
  }
}

}  // namespace

void add_extent(const Q15* x, std::size_t stride, std::uint32_t rows, ColumnExtent& extent) noexcept {
  std::int32_t sum = extent.sum;
  Q15 low = extent.low, high = extent.high;
  for (; rows != 0; --rows, x = next_row(x, stride)) {
    sum += *x;
    low = *x < low ? *x : low;
    high = *x > high ? *x : high;
  }
  extent = {sum, low, high};
}

[[gnu::noinline]] std::uint32_t own_strength(const OwnScreen& screen, std::uint32_t column, ColumnSums& sums,
                                             ColumnExtent& extent, bool& negative) noexcept {
  auto held = static_cast<std::uint32_t>(screen.weight.size());
  std::int32_t weight_sum = screen.weight_sum;
  const bool own = screen.samples.units == RowUnits::own;
  if (own && extent.low == k_missing_reading) held = leave_out_missing(screen, column, sums, extent, weight_sum);
  const ReadingSums readings{held, extent.sum, sums.square};
  const auto n = static_cast<std::int32_t>(held);
  Centred c{n * sums.product - multiply_signed(extent.sum, weight_sum), readings.spread(), 0, 1};
  negative = c.product < 0;
  if (c.product == 0 || c.spread == 0) return 0;
  if (!own) {  // X'w = product / n, |X|^2 = spread / n: both sides times n^2; the ridge is at most 2^57
    return screen_strength({c.product, held * c.spread}, held * (held * screen_ridge(screen.spec)));
  }
  const std::int32_t below = extent.sum - n * extent.low, above = n * extent.high - extent.sum;
  const auto farthest = static_cast<std::uint32_t>(below > above ? below : above);
  const bool is_far = multiply_32(farthest, farthest) > k_clip_deviations * k_clip_deviations * c.spread;
  // Sums of the column's simplest affine image, so that rounding does not tell one image from another.
  c.step = common_step(screen.samples, column);
  if (c.step != 1) {
    const auto size =
        static_cast<std::int64_t>(divide_short(static_cast<std::uint64_t>(negative ? -c.product : c.product), c.step));
    c.product = negative ? -size : size;
    c.spread = divide_short(divide_short(c.spread, c.step), c.step);
  }
  c.square = held * c.spread;
  if (is_far) clip(screen, column, held, extent.sum, c);
  negative = c.product < 0;
  // (X'w)^2 / (|X|^2 + 0.1 m) with X = a / sqrt(spread), both sides times 5 spread: at most 5 * 2^60 + 2^59.
  return screen_strength({c.product, 5 * c.square}, (screen.spec.nominal_rows * c.spread) >> 1);
}

}  // namespace sotto
