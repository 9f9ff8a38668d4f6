// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/screen.hpp"

#include <bit>

#include "column_ops.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

struct Float16 {
  std::uint32_t mantissa;  // 16 bits, the first of them set
  std::int32_t exponent;
};

Float16 normalise(std::uint64_t v) noexcept {
  const auto exponent = static_cast<std::int32_t>(std::bit_width(v)) - 16;
  return {static_cast<std::uint32_t>(exponent < 0 ? v << -exponent : v >> exponent), exponent};
}

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
void add_rows(const Q15* x, std::size_t stride, std::span<const Q15> weight, ColumnSums& sums) noexcept {
  const auto rows = static_cast<std::uint32_t>(weight.size());
  sums.product += sum_products<false>(x, stride, weight.data(), rows);
  sums.square += static_cast<std::uint64_t>(sum_products<true>(x, stride, nullptr, rows));
}
#else
[[gnu::noinline]] void add_rows(const Q15* x, std::size_t stride, std::span<const Q15> weight,
                                ColumnSums& sums) noexcept {
  const Q15* w = weight.data();
  std::int64_t product = sums.product, square = static_cast<std::int64_t>(sums.square);
  std::size_t rows = weight.size();
  for (; rows >= 4; rows -= 4, w += 4) {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i, x = next_row(x, stride)) {
      const std::int32_t a = *x, b = w[i];
      product += a * b;
      square += a * a;
    }
  }
  for (; rows != 0; --rows, x = next_row(x, stride)) {
    product += *x * *w++;
    square += *x * *x;
  }
  sums = {product, static_cast<std::uint64_t>(square)};
}
#endif

// The strongest so far, strongest first.
class Best {
 public:
  explicit Best(std::span<ScreenedColumn> list) noexcept : list_(list) {}
  /// Columns come by rising number; one goes behind its equals.
  void offer(const ColumnSums& sums, std::uint64_t ridge, std::uint32_t column) noexcept {
    const std::uint32_t strength = screen_strength(sums, ridge);
    std::size_t at = filled_;
    if (filled_ < list_.size()) {
      ++filled_;
    } else if (at == 0 || list_[--at].strength >= strength) {
      return;
    }
    for (; at > 0 && list_[at - 1].strength < strength; --at) list_[at] = list_[at - 1];
    list_[at] = {strength, static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(sums.product < 0)};
  }

 private:
  std::span<ScreenedColumn> list_;
  std::size_t filled_ = 0;
};

// y, or the residual rounded to the 15 bits below its largest entry.
void fill_weights(const Samples& samples, std::span<const std::int32_t> residual, std::span<Q15> weight) noexcept {
  if (residual.empty()) {
    for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = sample_target(samples, static_cast<std::uint32_t>(i));
    return;
  }
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) largest |= magnitude(residual[i]);
  const auto bits = static_cast<int>(std::bit_width(largest)), shift = bits > 15 ? bits - 15 : 0;
  const std::int64_t half = shift > 0 ? std::int64_t{1} << (shift - 1) : 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const std::int64_t rounded = (residual[i] + half) >> shift;
    weight[i] = static_cast<Q15>(rounded > 32767 ? 32767 : rounded);
  }
}

}  // namespace

std::uint64_t screen_ridge(const ScreenSpec& spec) noexcept {
  const std::uint64_t tenth =
      divide_floor(std::uint64_t{spec.nominal_rows} * multiply_32(spec.unit_q15, spec.unit_q15), 10);
  return tenth == 0 ? 1 : tenth;
}

// Each of the two mantissas is below by at most 2^-15, the quotient by 2^-14, the last shift by 2^-15: the strength is within
// (1 - 2^-13 - 2^-15, 1 + 2^-15) of the true one, its root within half of that.
std::uint32_t screen_strength(const ColumnSums& sums, std::uint64_t ridge) noexcept {
  if (sums.product == 0) return 0;
  const auto product = static_cast<std::uint64_t>(sums.product < 0 ? -sums.product : sums.product);
  const Float16 above = normalise(product), below = normalise(sums.square + ridge);
  std::uint32_t quotient = above.mantissa * above.mantissa / below.mantissa;  // above 2^30 / 2^16, below 2^32 / 2^15
  const auto length = static_cast<std::int32_t>(std::bit_width(quotient));
  quotient = length > 16 ? quotient >> (length - 16) : quotient << (16 - length);
  // 2*[-15, 25] - [-15, 26] - 16 + [15, 17]: between -57 and 66.
  const std::int32_t exponent = 2 * above.exponent - below.exponent + length - 16;
  return static_cast<std::uint32_t>(exponent + 64) << 16 | quotient;
}

Status screen(const ScreenSpec& spec, const Samples& samples, std::span<const std::int32_t> residual_q24,
              std::span<std::byte> work, std::span<ScreenedColumn> best) noexcept {
  if (spec.nominal_rows == 0 || spec.nominal_rows > k_rows_max || spec.unit_q15 == 0 || spec.unit_q15 > 32768 ||
      samples.features > k_features_max) {
    return Status::bad_dimension;
  }
  const bool mapped = samples.mapped != nullptr;
  if (work.size() < screen_work_bytes(0, mapped)) return Status::short_buffer;
  Workspace space{work};
  const std::span<ColumnSums> sums = space.take<ColumnSums>(mapped ? 0 : k_screen_block);
  const std::span<Q15> block = space.take<Q15>(mapped ? 0 : k_screen_block * k_screen_group);
  std::size_t rows = samples.rows < k_rows_max ? samples.rows : k_rows_max;
  if (rows > space.left() / sizeof(Q15)) rows = space.left() / sizeof(Q15);
  if (!residual_q24.empty() && rows > residual_q24.size()) rows = residual_q24.size();
  const std::span<Q15> weight = space.take<Q15>(rows);
  fill_weights(samples, residual_q24, weight);

  for (ScreenedColumn& entry : best) entry = {0, static_cast<std::uint16_t>(samples.features), 0};
  Best list{best};
  const std::uint64_t ridge = screen_ridge(spec);
  if (mapped) {  // column by column, the sums in registers
    for (std::uint32_t j = 0; j < samples.features; ++j) {
      ColumnSums column{};
      add_rows(samples.mapped + j, samples.stride, weight, column);
      list.offer(column, ridge, j);
    }
    return Status::ok;
  }
  for (std::uint32_t first = 0; first < samples.features; first += k_screen_block) {
    const std::uint32_t left = samples.features - first, count = left < k_screen_block ? left : k_screen_block;
    for (ColumnSums& column : sums) column = {};
    for (std::size_t row = 0; row < rows; row += k_screen_group) {
      const std::size_t group = rows - row < k_screen_group ? rows - row : k_screen_group;
      for (std::size_t i = 0; i < group; ++i) {
        (void)sample_columns(samples, static_cast<std::uint32_t>(row + i), first, count, &block[i * k_screen_block]);
      }
      for (std::uint32_t j = 0; j < count; ++j)
        add_rows(&block[j], k_screen_block, weight.subspan(row, group), sums[j]);
    }
    for (std::uint32_t j = 0; j < count; ++j) list.offer(sums[j], ridge, first + j);
  }
  return Status::ok;
}

}  // namespace sotto
