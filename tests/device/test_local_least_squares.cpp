// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Least squares: small systems with known answers, and the same bits on every target.
#include "sotto/local/least_squares.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 60, k_columns = 12;
Q15 numbers[k_rows * (k_columns + 1)];
const std::uint16_t columns[k_columns] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
std::byte work[least_squares_work_bytes(k_columns)];
std::int32_t beta[k_columns];

ColumnView view_of(std::uint32_t rows, std::size_t count) {
  return {numbers, k_columns + 1, rows, std::span{columns}.first(count), numbers + k_columns};
}

Q15& at(std::uint32_t row, std::uint32_t column) { return numbers[row * (k_columns + 1) + column]; }

void solve_ok(const LeastSquaresSpec& spec, const ColumnView& view) {
  least_squares(spec, view, nullptr, work, {beta, view.column.size()});
}

void an_exact_combination_is_found() {
  SeededEntropy seeded{1};
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    std::int32_t target = 0;
    for (std::uint32_t j = 0; j < 4; ++j) {
      at(i, j) = static_cast<Q15>(seeded_q15(seeded, 0) & ~15);
      target += at(i, j) * static_cast<std::int32_t>(j + 1) / 16;
    }
    at(i, k_columns) = static_cast<Q15>(target);
  }
  solve_ok({.nominal_rows = k_rows, .ridge_q24 = k_ridge_q24_min}, view_of(k_rows, 4));
  for (std::int32_t j = 0; j < 4; ++j) TEST_ASSERT_INT32_WITHIN(4096, (j + 1) << 20, beta[j]);
}

void no_rows_and_columns_of_zeros_give_zeros() {
  for (Q15& n : numbers) n = 0;
  for (std::int32_t& b : beta) b = 77;
  solve_ok({.nominal_rows = 100}, view_of(0, k_columns));
  for (const std::int32_t b : beta) TEST_ASSERT_EQUAL_INT32(0, b);
  for (std::uint32_t i = 0; i < k_rows; ++i) at(i, k_columns) = 32767;
  solve_ok({.nominal_rows = 1}, view_of(k_rows, k_columns));
  for (const std::int32_t b : beta) TEST_ASSERT_EQUAL_INT32(0, b);
}

void equal_columns_share_equally() {
  SeededEntropy seeded{2};
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    const Q15 x = seeded_q15(seeded, 0);
    for (std::uint32_t j = 0; j < 4; ++j) at(i, j) = x;
    at(i, k_columns) = x;
  }
  solve_ok({.nominal_rows = k_rows}, view_of(k_rows, 4));
  for (int j = 0; j < 4; ++j) TEST_ASSERT_INT32_WITHIN(4096, 1 << 22, beta[j]);
}

void every_target_gives_the_same_bits() {
  SeededEntropy seeded{3};
  ResultDigest digest;
  std::int32_t centre[k_columns];
  for (std::uint32_t n = 0; n < 48; ++n) {
    const std::uint32_t kind = n & 3u;
    for (Q15& x : numbers) x = seeded_q15(seeded, kind);
    const std::size_t count = 1 + seeded.word() % k_columns;
    const std::uint32_t rows = seeded.word() % (k_rows + 1);
    // Every other time two columns are equal, and the centre is anything that the wire can carry.
    if ((n & 4u) != 0 && count > 1) {
      for (std::uint32_t i = 0; i < k_rows; ++i) at(i, 1) = at(i, 0);
    }
    for (std::int32_t& c : centre) c = static_cast<std::int32_t>(seeded.word()) >> ((n & 8u) != 0 ? 0 : 8);
    const LeastSquaresSpec spec{.nominal_rows = 1 + seeded.word() % 100,
                                .ridge_q24 = (n & 16u) != 0 ? k_ridge_q24_min : 256};
    solve_ok(spec, view_of(rows, count));
    digest.add({beta, count});
    least_squares(spec, view_of(rows, count), centre, work, {beta, count});
    digest.add({beta, count});
  }
  digest.expect("c68828d9509c50822db99db82027bfee639eee803e0637c66f8629f2ecc074fa");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(an_exact_combination_is_found);
  RUN_TEST(no_rows_and_columns_of_zeros_give_zeros);
  RUN_TEST(equal_columns_share_equally);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}
