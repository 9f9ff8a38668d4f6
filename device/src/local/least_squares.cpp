// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/least_squares.hpp"

#include "factor.hpp"
#include "q24_ops.hpp"

namespace sotto {

namespace {

constexpr std::int32_t k_beta_max = 64 << 24;
constexpr std::uint32_t k_block = 32;  // rows
constexpr int k_solutions = 2;         // one, and a correction

// Gram entries are Q30: rows of at most 2^15 * 2^15, and the ridge shifted from Q24.
constexpr std::uint64_t k_gram_max =
    (std::uint64_t{k_rows_max} << 30) + ((std::uint64_t{k_rows_max} * k_ridge_q24_max) << 6);
static_assert(k_gram_max < std::uint64_t{1} << 41);
// A gradient entry is Q39: rows of Q15 * Q24 (int32), and the ridge's part, Q24 * Q24 >> 9.
constexpr std::uint64_t k_gradient_max =
    (std::uint64_t{k_rows_max} << (15 + 31)) + ((std::uint64_t{k_rows_max} * k_ridge_q24_max * k_beta_max) >> 9);
static_assert(k_gradient_max < std::uint64_t{1} << 62);
static_assert(std::uint64_t{k_rows_max} * k_ridge_q24_max * k_beta_max <= std::uint64_t{1} << 62);  // before the shift
static_assert(k_least_squares_columns_max <= k_factor_size_max && k_least_squares_columns_max <= k_products_max);
static_assert(k_block <= k_products_max);
static_assert(least_squares_work_bytes(8) == 295 && least_squares_work_bytes(32) == 2695);

// Out of line, so that each loop has the registers for itself.

/// sum_j row[column[j]] * at[j], Q39.
[[gnu::noinline]] std::int64_t fit(const Q15* row, const std::uint16_t* column, const std::int32_t* at,
                                   std::size_t count) noexcept {
  ProductSum sum;
  for (const std::int32_t* const end = at + count; at != end;) sum.add(row[*column++], *at++);
  return sum.value();
}

/// sum of x[i * stride] * factor[i], Q39.
[[gnu::noinline]] std::int64_t column_sum(const Q15* x, std::uint32_t stride, const std::int32_t* factor,
                                          std::size_t count) noexcept {
  ProductSum sum;
  for (const std::int32_t* const end = factor + count; factor != end; x += stride) sum.add(*x, *factor++);
  return sum.value();
}

class Problem {
 public:
  Problem(const LeastSquaresSpec& spec, const ColumnView& view, const std::span<std::byte>& bytes) noexcept
      : view_(view),
        rows_(view.rows < spec.nominal_rows ? view.rows : spec.nominal_rows),
        columns_(view.column.size()),
        ridge_q24_(std::int64_t{spec.nominal_rows} * spec.ridge_q24) {
    Workspace work{bytes};
    gradient_ = work.take<std::int64_t>(columns_);
    factor_.triangle = work.take<std::int32_t>(triangle_size(columns_));
    unknown_ = work.take<std::int32_t>(columns_);
    at_ = work.take<std::int32_t>(columns_);
    factor_.exponent = work.take<std::uint8_t>(columns_);
    scale_ = work.take<std::int8_t>(columns_);
  }

  void prepare() noexcept;
  void correct(const std::span<const std::int32_t>& centre, const std::span<std::int32_t>& difference) noexcept;

 private:
  [[nodiscard]] std::int64_t dot(std::size_t i, std::size_t j) const noexcept;
  void sum_gradient(std::size_t used) noexcept;

  ColumnView view_;
  std::uint32_t rows_;
  std::size_t columns_;
  std::int64_t ridge_q24_;
  std::span<std::int64_t> gradient_;  // X'(y - X b) - ridge b, Q39
  Factor factor_;                     // of the Gram matrix, row and column j times 2^scale_[j]
  std::span<std::int32_t> unknown_;
  std::span<std::int32_t> at_;  // centre + difference, Q24
  std::span<std::int8_t> scale_;
};

std::int64_t Problem::dot(std::size_t i, std::size_t j) const noexcept {
  if (rows_ == 0) return 0;
  const std::uint32_t stride = view_.stride;
  const std::ptrdiff_t apart = std::ptrdiff_t{view_.column[j]} - view_.column[i];
  const Q15* x = view_.base + view_.column[i];
  const Q15* const end = x + std::size_t{rows_} * stride;
#if defined(__ARM_ARCH_6M__)
  std::int32_t high = 0, low = 0;  // of products of 31 bits: 1024 * 2^14, 1024 * 2^16
  do {
    const std::int32_t product = x[0] * x[apart];
    high += product >> 16;
    low += product & 0xffff;
    x += stride;
  } while (x != end);
  return std::int64_t{high} * 65536 + low;
#else
  std::int64_t sum = 0;
  do {
    sum += x[0] * x[apart];
    x += stride;
  } while (x != end);
  return sum;
#endif
}

void Problem::prepare() noexcept {
  for (std::size_t i = 0; i < columns_; ++i) {
    std::int32_t* const row = factor_.triangle.data() + triangle_size(i);
    std::int64_t square = dot(i, i) + (ridge_q24_ << 6);
    square = square == 0 ? 1 : square;
    // Brings the diagonal to 27 or 28 bits, so that |entries| < 2^28 by Cauchy and Schwarz.
    const auto bits = static_cast<std::int32_t>(signed_bits(square));
    scale_[i] = static_cast<std::int8_t>((28 - bits) >> 1);
    constexpr std::int32_t k_largest = (1 << 28) - 1;
    for (std::size_t j = 0; j < i; ++j) row[j] = scale_saturate(dot(i, j), scale_[i] + scale_[j], k_largest);
    row[i] = scale_saturate(square, 2 * scale_[i], k_largest);
  }
  factorise(factor_);
}

/// The first `used` numbers of at_ count, the others are zero. A block of residuals is used for every column in turn,
/// so that the sums stay in registers.
void Problem::sum_gradient(std::size_t used) noexcept {
  for (std::int64_t& g : gradient_) g = 0;
  std::int32_t residual_q24[k_block];
  for (std::uint32_t first = 0; first < rows_; first += k_block) {
    const std::uint32_t count = rows_ - first < k_block ? rows_ - first : k_block;
    const Q15* const block = view_.base + std::size_t{first} * view_.stride;
    const Q15* const target = view_.target + std::size_t{first} * view_.stride;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t offset = std::size_t{i} * view_.stride;
      const std::int64_t fitted = fit(block + offset, view_.column.data(), at_.data(), used);
      residual_q24[i] = saturate(shift_right_round((std::int64_t{target[offset]} << 24) - fitted, 15), k_int32_max);
    }
    for (std::size_t j = 0; j < columns_; ++j) {
      gradient_[j] += column_sum(block + view_.column[j], view_.stride, residual_q24, count);
    }
  }
}

/// difference += (X'X + ridge)^-1 (X'(y - X (centre + difference)) - ridge difference).
void Problem::correct(const std::span<const std::int32_t>& centre, const std::span<std::int32_t>& difference) noexcept {
  std::int32_t any = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    at_[j] = saturate((centre.empty() ? std::int64_t{0} : centre[j]) + difference[j], k_int32_max);
    any |= at_[j];
  }
  sum_gradient(any == 0 ? 0 : columns_);
  std::int32_t bits = 0;
  for (std::size_t j = 0; j < columns_; ++j) {
    gradient_[j] -= (ridge_q24_ * difference[j]) >> 9;
    const std::int32_t wanted = static_cast<std::int32_t>(signed_bits(gradient_[j])) + scale_[j];
    bits = gradient_[j] != 0 && wanted > bits ? wanted : bits;
  }
  for (std::size_t j = 0; j < columns_; ++j) unknown_[j] = scale_saturate(gradient_[j], scale_[j] + 27 - bits, 1 << 27);
  // Q39 over Q30 is Q9, Q24 is wanted; the matrix in solve() is 2^28 times smaller than its integers.
  const std::int32_t exponent = 24 - 9 - 28 + bits - 27 + solve(factor_, unknown_);
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::int64_t step = scale_saturate(unknown_[j], exponent + scale_[j], k_beta_max);
    difference[j] = saturate(difference[j] + step, k_beta_max);
  }
}

}  // namespace

Status least_squares_around(const LeastSquaresSpec& spec, const ColumnView& view,
                            const std::span<const std::int32_t>& centre_q24, const std::span<std::byte>& work,
                            const std::span<std::int32_t>& difference_q24) noexcept {
  const std::size_t columns = view.column.size();
  if (columns > k_least_squares_columns_max || spec.nominal_rows == 0 || spec.nominal_rows > k_rows_max ||
      spec.ridge_q24 < k_ridge_q24_min || spec.ridge_q24 > k_ridge_q24_max) {
    return Status::bad_dimension;
  }
  if (work.size() < least_squares_work_bytes(columns) || difference_q24.size() < columns ||
      (!centre_q24.empty() && centre_q24.size() < columns)) {
    return Status::short_buffer;
  }
  const std::span<std::int32_t> difference = difference_q24.first(columns);
  for (std::int32_t& d : difference) d = 0;
  Problem problem{spec, view, work};
  problem.prepare();
  for (int i = 0; i < k_solutions; ++i) problem.correct(centre_q24, difference);
  return Status::ok;
}

Status least_squares(const LeastSquaresSpec& spec, const ColumnView& view, const std::span<std::byte>& work,
                     const std::span<std::int32_t>& beta_q24) noexcept {
  return least_squares_around(spec, view, {}, work, beta_q24);
}

}  // namespace sotto
