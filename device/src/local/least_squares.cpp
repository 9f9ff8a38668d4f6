// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/least_squares.hpp"

#include "column_ops.hpp"
#include "factor.hpp"
#include "sotto/arithmetic/q24_ops.hpp"

namespace sotto {

namespace {

constexpr std::int32_t k_beta_max = 64 << 24;
constexpr int k_solutions = 2;  // a solution and its refinement

// Gram entries are Q30: products of at most 2^15 * 2^15 over all rows, and the ridge shifted from Q24.
constexpr std::uint64_t k_gram_max =
    (std::uint64_t{k_rows_max} << 30) + ((std::uint64_t{k_rows_max} * k_ridge_q24_max) << 6);
static_assert(k_gram_max < std::uint64_t{1} << 41);
// Gradient entries are Q39: products of Q15 and Q24 (int32) over all rows, and the ridge's part, Q24 * Q24 >> 9.
constexpr std::uint64_t k_gradient_max =
    (std::uint64_t{k_rows_max} << (15 + 31)) + ((std::uint64_t{k_rows_max} * k_ridge_q24_max * k_beta_max) >> 9);
static_assert(k_gradient_max < std::uint64_t{1} << 62);
static_assert(std::uint64_t{k_rows_max} * k_ridge_q24_max * k_beta_max <= std::uint64_t{1} << 62);  // before the shift
static_assert(k_least_squares_columns_max <= k_factor_size_max && k_least_squares_columns_max <= k_products_max);
static_assert(least_squares_work_bytes(8) == 279 && least_squares_work_bytes(32) == 2631);

class Problem {
 public:
  using Unknown = Factor::Unknown;
  static_assert(sizeof(Unknown) == k_least_squares_column_bytes);

  Problem(const LeastSquaresSpec& spec, const ColumnView& view, const std::span<std::byte>& bytes) noexcept
      : view_(view),
        rows_(view.rows < spec.nominal_rows ? view.rows : spec.nominal_rows),
        ridge_q24_(std::int64_t{spec.nominal_rows} * spec.ridge_q24) {
    Workspace work{bytes};
    const std::size_t columns = view.column.size();
    first_ =
        reinterpret_cast<Unknown*>(work.take_data<std::uint64_t>(columns * sizeof(Unknown) / sizeof(std::uint64_t)));
    factor_ = {work.take_data<std::int32_t>(triangle_size(columns)), {first_, columns}};
    last_ = first_ + columns;
  }

  void prepare(std::int32_t* difference) noexcept;
  void correct(const std::int32_t* centre, std::int32_t* difference) noexcept;

  /// All unknowns.
  [[nodiscard]] Unknown* begin() const noexcept { return first_; }
  [[nodiscard]] Unknown* end() const noexcept { return last_; }

 private:
  [[nodiscard]] std::int64_t dot(const Unknown& a, const Unknown& b) const noexcept {
    return dot_samples(view_.base + a.offset, view_.base + b.offset, view_.stride, rows_);
  }
  void add_gradient() noexcept;

  const ColumnView& view_;
  std::uint32_t rows_;
  std::int64_t ridge_q24_;
  Unknown *first_, *last_;
  Factor factor_;  // of the Gram matrix
};

/// Also sets all differences to 0.
void Problem::prepare(std::int32_t* difference) noexcept {
  std::int32_t* entry = factor_.triangle;
  const std::uint16_t* offset = view_.column.data();
  for (Unknown& a : *this) {
    *difference++ = 0;
    a.offset = *offset++;
    const std::int64_t square = dot(a, a) + (ridge_q24_ << 6);  // a ridge of at least k_ridge_q24_min: above 0
    // Scales the diagonal to 27 or 28 bits, so that |entries| < 2^28 by the Cauchy-Schwarz inequality.
    const auto bits = static_cast<std::int32_t>(signed_bits(square));
    a.scale = static_cast<std::int8_t>((28 - bits) >> 1);
    const Unknown* b = first_;
    do {
      *entry++ = scale_saturate(b == &a ? square : dot(a, *b), a.scale + b->scale, (1 << 28) - 1);
    } while (b++ != &a);
  }
  factorise(factor_);
}

/// Adds X'(y - X z), row by row.
void Problem::add_gradient() noexcept {
  const Q15 *row = view_.base, *target = view_.target;
  for (std::uint32_t left = rows_; left != 0; --left, row += view_.stride, target += view_.stride) {
    ProductSum fitted;  // Q39
    for (const Unknown& u : *this) fitted.add(row[u.offset], u.z);
    const std::int32_t residual_q24 = scale_saturate((std::int64_t{*target} << 24) - fitted.value(), -15, k_int32_max);
    for (Unknown& u : *this) {
      ProductSum product;  // Q39
      product.add(row[u.offset], residual_q24);
      u.gradient += product.value();
    }
  }
}

/// difference += (X'X + ridge)^-1 (X'(y - X (centre + difference)) - ridge difference).
void Problem::correct(const std::int32_t* centre, std::int32_t* difference) noexcept {
  const std::int32_t* before = difference;
  for (Unknown& u : *this) {
    const std::int64_t d = *before++;
    u.z = saturate_int32(d + (centre == nullptr ? 0 : *centre++));
    u.gradient = -((ridge_q24_ * d) >> 9);
  }
  add_gradient();
  std::int32_t bits = 0;
  for (const Unknown& u : *this) {
    const std::int32_t wanted = static_cast<std::int32_t>(signed_bits(u.gradient)) + u.scale;
    bits = u.gradient != 0 && wanted > bits ? wanted : bits;
  }
  for (Unknown& u : *this) u.z = scale_saturate(u.gradient, u.scale + 27 - bits, 1 << 27);
  // Q39 divided by Q30 is Q9, and Q24 is wanted; the matrix in solve() is its integers divided by 2^28.
  const std::int32_t exponent = 24 - 9 - 28 + bits - 27 + solve(factor_);
  for (const Unknown& u : *this) {
    const std::int64_t step = scale_saturate(u.z, exponent + u.scale, k_beta_max);
    *difference = saturate(*difference + step, k_beta_max);
    ++difference;
  }
}

}  // namespace

void least_squares(const LeastSquaresSpec& spec, const ColumnView& view, const std::int32_t* centre_q24,
                   const std::span<std::byte>& work, const std::span<std::int32_t>& difference_q24) noexcept {
  Problem problem{spec, view, work};
  problem.prepare(difference_q24.data());
  for (int i = 0; i < k_solutions; ++i) problem.correct(centre_q24, difference_q24.data());
}

}  // namespace sotto
