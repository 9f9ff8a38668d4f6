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
  if (residual.empty()) {
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = sample_target(samples, static_cast<std::uint32_t>(i));
    return;
  }
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) largest |= magnitude(residual[i]);
  const auto bits = static_cast<std::uint32_t>(std::bit_width(largest)), shift = bits > 15 ? bits - 15 : 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const auto rounded = static_cast<std::int32_t>(shift_right_round(residual[i], shift));
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
void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, ColumnSums& sums) noexcept {
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

void see_columns(const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                 const std::span<std::byte>& work, const ColumnSeer& seer) noexcept {
  const bool mapped = samples.mapped != nullptr;
  Workspace space{work};
  const std::span<ColumnSums> sums = space.take<ColumnSums>(mapped ? 0 : k_screen_block);
  Q15* const block = space.take_data<Q15>(mapped ? 0 : k_screen_block * k_screen_group);
  std::size_t rows = samples.rows < k_rows_max ? samples.rows : k_rows_max;
  if (rows > space.left() / sizeof(Q15)) rows = space.left() / sizeof(Q15);
  if (!residual_q24.empty() && rows > residual_q24.size()) rows = residual_q24.size();
  const std::span<Q15> weight = space.take<Q15>(rows);
  fill_weights(samples, residual_q24, weight);

  if (mapped) {  // column by column, the sums in registers
    for (std::uint32_t j = 0; j < samples.features; ++j) {
      ColumnSums column{};
      add_rows(samples.mapped + j, samples.stride, weight, column);
      seer.see(seer.context, j, column);
    }
    return;
  }
  for (std::uint32_t first = 0; first < samples.features; first += k_screen_block) {
    const std::uint32_t left = samples.features - first, count = left < k_screen_block ? left : k_screen_block;
    for (ColumnSums& column : sums) column = {};
    for (std::size_t row = 0; row < rows; row += k_screen_group) {
      const std::size_t group = rows - row < k_screen_group ? rows - row : k_screen_group;
      for (std::size_t i = 0; i < group; ++i) {
        (void)sample_columns(samples, static_cast<std::uint32_t>(row + i), first, count, block + i * k_screen_block);
      }
      const std::span<const Q15> weights = weight.subspan(row, group);
      for (std::uint32_t j = 0; j < count; ++j) add_rows(block + j, k_screen_block, weights, sums[j]);
    }
    for (std::uint32_t j = 0; j < count; ++j) seer.see(seer.context, first + j, sums[j]);
  }
}

}  // namespace sotto
