// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "column_sums.hpp"

#include <bit>

#include "column_ops.hpp"
#include "q24_ops.hpp"

namespace sotto {
namespace {

// Every product is at most 2^30, and there are at most 1024.
static_assert((std::int64_t{k_rows_max} << 30) == std::int64_t{1} << 40);
#if defined(__ARM_ARCH_6M__)
// The halves of 32-bit products are summed apart: Cortex-M0 has few registers, and needs three instructions for a 64-bit sum.
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
#endif

// y, or the residual rounded to the 15 bits below its largest entry.
void fill_weights(const Samples& samples, const std::span<const std::int32_t>& residual,
                  const std::span<Q15>& weight) noexcept {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < weight.size() && !residual.empty(); ++i) largest |= magnitude(residual[i]);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(largest)), shift = bits > 15 ? bits - 15 : 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const auto rounded = residual.empty() ? sample_target(samples, static_cast<std::uint32_t>(i))
                                          : static_cast<std::int32_t>(shift_right_round(residual[i], shift));
    weight[i] = static_cast<Q15>(rounded > 32767 ? 32767 : rounded);
  }
}

}  // namespace

#if defined(__ARM_ARCH_6M__)
void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, ColumnSums& sums) noexcept {
  const auto rows = static_cast<std::uint32_t>(weight.size());
  sums.product += sum_products<false>(x, stride, weight.data(), rows);
  sums.square += static_cast<std::uint64_t>(sum_products<true>(x, stride, nullptr, rows));
}
#else
// Out of line: between its caller's numbers the sums would not stay in registers.
[[gnu::noinline]] void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight,
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
  sums = {product, static_cast<std::uint64_t>(square)};
}
#endif

void see_columns(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                 const std::span<std::byte>& work, const ColumnSeer& seer) noexcept {
  Workspace space{work};
  // Rows in memory are read one column at a time, all of it; those of a hook in blocks of columns and groups of rows.
  ColumnSums column, *sums = &column;
  const Q15* x = samples.mapped;
  Q15* block = nullptr;
  std::uint32_t width = 1, stride = samples.stride;
  if (x == nullptr) {
    width = stride = k_screen_block;
    sums = space.take_data<ColumnSums>(k_screen_block);
    x = block = space.take_data<Q15>(k_screen_block * k_screen_group);
  }
  std::size_t rows = samples.rows < k_rows_max ? samples.rows : k_rows_max;
  if (rows > space.left() / sizeof(Q15)) rows = space.left() / sizeof(Q15);
  if (!residual_q24.empty() && rows > residual_q24.size()) rows = residual_q24.size();
  const std::span<Q15> weight{space.take_data<Q15>(rows), rows};
  fill_weights(samples, residual_q24, weight);

  const std::uint64_t ridge = screen_ridge(spec);
  const std::size_t together = block == nullptr ? rows : k_screen_group;
  for (std::uint32_t first = 0; first < samples.features; first += width) {
    const std::uint32_t left = samples.features - first, count = left < width ? left : width;
    for (std::uint32_t j = 0; j < count; ++j) {
      sums[j].product = 0;  // one by one: `= {}` would be a call
      sums[j].square = 0;
    }
    for (std::size_t row = 0; row < rows; row += together) {
      const std::size_t group = rows - row < together ? rows - row : together;
      for (std::size_t i = 0; i < group && block != nullptr; ++i) {
        (void)sample_columns(samples, static_cast<std::uint32_t>(row + i), first, count, block + i * k_screen_block);
      }
      const std::span<const Q15> weights = weight.subspan(row, group);
      for (std::uint32_t j = 0; j < count; ++j) add_rows(x + j, stride, weights, sums[j]);
    }
    for (std::uint32_t j = 0; j < count; ++j) {
      const auto strength = static_cast<std::int32_t>(screen_strength(sums[j], ridge));
      seer.see(seer.context, first + j, sums[j].product < 0 ? -strength : strength);
    }
    if (block == nullptr) ++x;
  }
}

}  // namespace sotto
