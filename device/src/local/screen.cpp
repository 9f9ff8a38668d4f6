// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/screen.hpp"

#include "column_sums.hpp"
#include "own_screen.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

/// The upper 16 significant bits of v, 0 < v < 2^63; the exponent, which may be negative, is above them. Of another v any
/// 16 bits.
[[nodiscard, gnu::noinline]] std::uint32_t normalise(std::uint64_t v) noexcept {
  const std::uint32_t zeros = (64 - signed_bits(static_cast<std::int64_t>(v))) & 63u;
  return static_cast<std::uint32_t>(shift_left(v, zeros) >> 48) + ((48 - zeros) << 16);
}

/// Inserts a column into the list of the strongest so far, strongest first. Columns come by increasing number: one goes
/// behind its equals, and before an unused entry, whose number is larger than any.
void offer(const std::span<ScreenedColumn>& best, const ScreenedColumn& column) noexcept {
  ScreenedColumn *const end = best.data() + best.size(), *at = end;
  for (; at != best.data() && (at[-1].strength < column.strength || at[-1].column > column.column); --at) {
    if (at != end) *at = at[-1];
  }
  if (at != end) *at = column;
}

}  // namespace

std::uint64_t screen_ridge(const ScreenSpec& spec) noexcept {
  const std::uint64_t tenth =
      divide_short(std::uint64_t{spec.nominal_rows} * multiply_32(spec.unit_q15, spec.unit_q15), 10);
  return tenth == 0 ? 1 : tenth;
}

// Each of the two mantissas is too small by at most 2^-15, the quotient by 2^-14, the last shift by 2^-15: the strength
// is within (1 - 2^-13 - 2^-15, 1 + 2^-15) of the true one, its root within half of that.
std::uint32_t screen_strength(std::int64_t product, std::uint64_t square) noexcept {
  if (product == 0) return 0;
  const auto size = static_cast<std::uint64_t>(product < 0 ? -product : product);
  const std::uint32_t above = normalise(size), below = normalise(square);
  const std::uint32_t mantissa = above & 0xffffu;
  // Above 2^30 / 2^16, below 2^32 / 2^15. The top bit is set, unless the sums contradict each other, because a hook gave
  // other readings when a column was read again: then any score will do, but not a division by zero.
  const std::uint32_t quotient = normalise(mantissa * mantissa / ((below & 0xffffu) | 0x8000u));
  // Exponents 2*[-15, 35] - [-15, 47] + [-1, 1]: between -78 and 86. They are modulo 2^16, and so is their sum.
  const std::uint32_t exponent = 2 * (above >> 16) - (below >> 16) + (quotient >> 16) + 80;
  return exponent << 16 | (quotient & 0xffffu);
}

void screen(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
            const std::span<std::byte>& work, const std::span<ScreenedColumn>& best) noexcept {
  for (ScreenedColumn& entry : best) entry = {0, static_cast<std::uint16_t>(samples.features)};
  Workspace space{work};
  // Rows in memory are read column by column; rows from a hook in blocks of columns and groups of rows.
  ColumnSums column, *sums = &column;
  Q15* block = nullptr;
  std::uint32_t width = 1, stride = samples.stride;
  if (samples.mapped == nullptr) {
    width = stride = k_screen_block;
    sums = reinterpret_cast<ColumnSums*>(
        space.take_data<std::uint64_t>(k_screen_block * sizeof(ColumnSums) / sizeof(std::uint64_t)));
    block = space.take_data<Q15>(k_screen_block * k_screen_group);
  }
  const std::size_t rows = samples.rows;
  const std::span<Q15> weight = space.take<Q15>(rows);
  fill_weights(samples, residual_q24, weight);

  const bool stated = samples.units == RowUnits::stated;
  OwnScreen own{spec, samples, weight, 0, screen_ridge(spec)};
  for (const Q15 w : weight) own.weight_sum += w;
  const std::size_t together = block == nullptr ? rows : k_screen_group;
  for (std::uint32_t first = 0; first < samples.features; first += width) {
    const std::uint32_t left = samples.features - first, count = left < width ? left : width;
    const Q15* const x = block == nullptr ? samples.mapped + first : block;
    for (std::uint32_t j = 0; j < count; ++j) {
      sums[j].product = 0;  // one by one: `= {}` would be a call
      sums[j].square = 0;
      sums[j].sum = 0;
      sums[j].low = 32767;
      sums[j].high = -32768;
    }
    for (std::size_t row = 0; row < rows; row += together) {
      const std::size_t group = rows - row < together ? rows - row : together;
      for (std::size_t i = 0; i < group && block != nullptr; ++i) {
        (void)sample_columns(samples, static_cast<std::uint32_t>(row + i), first, count, block + i * k_screen_block);
      }
      const std::span<const Q15> weights = weight.subspan(row, group);
      for (std::uint32_t j = 0; j < count; ++j) {
        add_rows(x + j, stride, weights, !stated, sums[j]);
      }
    }
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint32_t strength =
          stated ? screen_strength(sums[j].product, sums[j].square + own.ridge) : own_strength(own, first + j, sums[j]);
      offer(best, {strength, static_cast<std::uint16_t>(first + j)});
    }
  }
}

}  // namespace sotto
