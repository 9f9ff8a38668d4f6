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

/// Takes the missing readings off the sums again, and finds the smallest of the others: the largest is known, unless
/// all are missing. Returns how many are held.
[[nodiscard]] std::uint32_t leave_out_missing(const OwnScreen& screen, std::uint32_t column, ColumnSums& sums,
                                              std::int32_t& weight_sum) noexcept {
  std::uint32_t missing = 0;
  std::int32_t weight = 0, low = 32767;
  for (std::uint32_t i = 0; i < screen.weight.size(); ++i) {
    const std::int32_t x = sample_at(screen.samples, i, column);
    if (x == k_missing_reading) {
      weight += screen.weight[i];
      ++missing;
    } else if (x < low) {
      low = x;
    }
  }
  sums.low = static_cast<Q15>(low);
  sums.sum += static_cast<std::int32_t>(missing << 15);
  sums.square -= std::uint64_t{missing} << 30;
  sums.product += std::int64_t{weight} << 15;
  weight_sum -= weight;
  return static_cast<std::uint32_t>(screen.weight.size()) - missing;
}

/// A column of which some readings are to be clipped, in units of its range.
struct Scaled {
  std::uint32_t range;  ///< of the readings
  std::uint32_t four;   ///< four standard deviations, below 2^16
  bool negative;        ///< the sign of the product, which is positive before readings are clipped
};

/// Readings beyond four deviations become four deviations: `product`, the sum of a_i w_i, and `square`, five times the
/// sum of a_i^2, change by what they lose. The column is read again: a hook that answers otherwise this time gives another
/// score, which is as good as any, so sums wrap.
void clip(const OwnScreen& screen, std::uint32_t column, std::uint32_t held, std::int32_t sum, const Scaled& scaled,
          std::int64_t& product, std::uint64_t& square) noexcept {
  const std::uint32_t range = scaled.range, reach = scaled.four * range >> k_bits;  // below 2^26
  // |held x - sum| <= reach, solved for x. Counted from -32768 no term is negative, or above 2^27.
  const std::uint32_t middle = static_cast<std::uint32_t>(sum) + (held << 15), top = (middle + reach) / held;
  const std::uint32_t low = middle < reach ? 0 : (middle - reach + held - 1) / held, high = top < 65535 ? top : 65535;
  const Samples& samples = screen.samples;
  const auto rows = static_cast<std::uint32_t>(screen.weight.size());
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (samples.mapped != nullptr) {  // most readings are passed over here
      const Q15* const x = sample_columns(samples, row, column, 1, nullptr);
      row += rows_within(x, samples.stride, rows - row, static_cast<std::int32_t>(low) - 32768, high - low);
      if (row == rows) return;
    }
    const std::int32_t reading = sample_at(samples, row, column);
    const std::int32_t away = static_cast<std::int32_t>(held) * reading - sum;  // at most 2^26
    // One bit less than there is room for, then the same scale as all others.
    const std::uint32_t size = (magnitude(away) << (k_bits - 1)) / range << 1;  // below 2^17
    if (size <= scaled.four || reading == k_missing_reading) continue;
    const std::uint32_t excess = size - scaled.four;
    product -= multiply_signed(static_cast<std::int32_t>((away < 0) != scaled.negative ? 0 - excess : excess),
                               screen.weight[row]);
    square -= multiply_32(size + scaled.four, 5 * excess);
  }
}

}  // namespace

[[gnu::noinline]] std::uint32_t own_strength(const OwnScreen& screen, std::uint32_t column,
                                             const ColumnSums& given) noexcept {
  ColumnSums sums = given;
  auto held = static_cast<std::uint32_t>(screen.weight.size());
  std::int32_t weight_sum = screen.weight_sum;
  const bool own = screen.samples.units == RowUnits::own;
  if (own && sums.low == k_missing_reading) held = leave_out_missing(screen, column, sums, weight_sum);
  const auto n = static_cast<std::int32_t>(held);
  std::int64_t product = n * sums.product - multiply_signed(sums.sum, weight_sum);  // at most 2^50
  const std::uint64_t spread = held * sums.square - multiply_32(magnitude(sums.sum), magnitude(sums.sum));  // V
  const auto range = static_cast<std::uint32_t>(sums.high - sums.low);
  // Without a reading, sums of a hook that contradict each other among them, the product is 0: held > 0 below.
  if (product == 0 || range == 0) return 0;
  if (!own) {  // X'w = product / n, |X|^2 = spread / n: both sides times n^2; the ridge is at most 2^57
    return screen_strength(product, held * (spread + held * screen.ridge));
  }
  // V / range^2 is at least n / 2 and at most n^2 / 4.
  const auto variance = static_cast<std::uint32_t>(divide_short(divide_short(spread << 2 * k_bits, range), range));
  const bool negative = product < 0;
  if (negative) product = -product;
  product = static_cast<std::int64_t>(divide_short(static_cast<std::uint64_t>(product) << k_bits, range));
  // (X'w)^2 / (|X|^2 + 0.1 m) with X = a / sqrt(V), both sides times 5 V; |X|^2 = n V.
  std::uint64_t square = multiply_32(variance, 10 * held + screen.spec.nominal_rows) >> 1;  // below 2^43
  const std::int32_t below = sums.sum - n * sums.low, above = n * sums.high - sums.sum;
  const auto farthest = static_cast<std::uint32_t>(below > above ? below : above);
  if (multiply_32(farthest, farthest) > 16 * spread) {
    const std::uint32_t four = root_floor(variance << 2) << 1;  // V / range^2 is below n^2 / 16 then
    clip(screen, column, held, sums.sum, {range, four, negative}, product, square);
  }
  return screen_strength(product, square);
}

}  // namespace sotto
