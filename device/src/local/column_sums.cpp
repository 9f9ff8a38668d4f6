// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "column_sums.hpp"

#include <bit>

#include "column_ops.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/column.hpp"

namespace sotto {

// Every product is at most 2^30, and there are at most 1024 rows.
static_assert((std::int64_t{k_rows_max} << 30) == std::int64_t{1} << 40);

#if defined(__ARM_ARCH_6M__)
namespace {

// The halves of 32-bit products are summed separately: Cortex-M0 has few registers, and needs three instructions for a
// 64-bit sum.
template <bool square>
[[gnu::noinline]] std::int64_t sum_products(const Q15* x, std::size_t stride, const Q15* weight,
                                            std::uint32_t rows) noexcept {
  std::int32_t high = 0, low = 0;
  for (; rows != 0; --rows, x = next_row(x, stride)) {
    const std::int32_t product = *x * (square ? *x : *weight++);
    high += product >> 16;
    low += product & 0xffff;
  }
  return std::int64_t{high} * 65536 + low;
}

}  // namespace
#endif

void fill_weights(const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                  const std::span<Q15>& weight) noexcept {
  std::uint32_t largest = 0;
  const bool given = !residual_q24.empty();
  for (std::size_t i = 0; i < weight.size() && given; ++i) largest |= magnitude(residual_q24[i]);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(largest)), shift = bits > 15 ? bits - 15 : 0;
  if (!given) copy_column(samples, samples.features, weight.data(), 1);
  for (std::size_t i = 0; i < weight.size() && given; ++i) {
    const auto rounded = static_cast<std::int32_t>(shift_right_round(residual_q24[i], shift));
    weight[i] = static_cast<Q15>(rounded > 32767 ? 32767 : rounded);
  }
}

#if defined(__ARM_ARCH_6M__)
void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, bool centred,
              ColumnSums& sums) noexcept {
  const auto rows = static_cast<std::uint32_t>(weight.size());
  sums.product += sum_products<false>(x, stride, weight.data(), rows);
  sums.square += static_cast<std::uint64_t>(sum_products<true>(x, stride, nullptr, rows));
  if (!centred) return;
  std::int32_t sum = sums.sum, low = sums.low, high = sums.high;
  for (std::uint32_t left = rows; left != 0; --left, x = next_row(x, stride)) {
    const std::int32_t a = *x;
    sum += a;
    if (a < low) low = a;
    if (a > high) high = a;
  }
  sums.sum = sum;
  sums.low = static_cast<Q15>(low);
  sums.high = static_cast<Q15>(high);
}
#elif !defined(__ARM_FEATURE_DSP)
namespace {

// Out of line: inlined, the sums would not stay in registers.
[[gnu::noinline]] void add_stated_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight,
                                       ColumnSums& sums) noexcept {
  const Q15* w = weight.data();
  std::int64_t product = sums.product, square = static_cast<std::int64_t>(sums.square);
  const Q15* const end = w + weight.size();
  if (w == end) return;
  do {
    const std::int32_t a = *x, b = *w++;
    product += a * b;
    square += a * a;
    x = next_row(x, stride);
  } while (w != end);
  sums.product = product;
  sums.square = static_cast<std::uint64_t>(square);
}

[[gnu::noinline]] void add_own_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight,
                                    ColumnSums& sums) noexcept {
  const Q15* w = weight.data();
  std::int64_t product = sums.product, square = static_cast<std::int64_t>(sums.square);
  const Q15* const end = w + weight.size();
  if (w == end) return;
  add_extreme(*x, sums);
  std::int32_t sum = sums.sum, low = sums.low;
  auto span = static_cast<std::uint32_t>(sums.high - low);
  do {
    const std::int32_t a = *x, b = *w++;
    product += a * b;
    square += a * a;
    sum += a;
    if (static_cast<std::uint32_t>(a - low) > span) {  // seldom: beyond one of the ends
      span = static_cast<std::uint32_t>(a < low ? low + static_cast<std::int32_t>(span) - a : a - low);
      low = a < low ? a : low;
    }
    x = next_row(x, stride);
  } while (w != end);
  sums = {product, static_cast<std::uint64_t>(square), sum, static_cast<Q15>(low),
          static_cast<Q15>(low + static_cast<std::int32_t>(span))};
}

}  // namespace

void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, bool centred,
              ColumnSums& sums) noexcept {
  if (centred)
    add_own_rows(x, stride, weight, sums);
  else
    add_stated_rows(x, stride, weight, sums);
}
#endif

}  // namespace sotto
