// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Columns that go along with each other make coordinate descent creep along a line. The way since save() is that line: leap()
// takes the minimum on it, as if v = sum_j u_j x_j were one more column, but stops where a coefficient reaches zero.
#include <bit>

#include "descent.hpp"
#include "newton.hpp"
#include "q24_ops.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

// A way has 15 bits; u_j = way_j / 2^(15+spread) with 2^spread >= the columns that move, so that |v| <= 1.
constexpr std::uint32_t k_way_bits = 15;
static_assert((1u << 7) == k_lasso_columns_max);  // spread is at most 7

std::int64_t signed_product(std::int32_t a, std::int32_t b) noexcept {
  const auto size = static_cast<std::int64_t>(multiply_32(magnitude(a), magnitude(b)));
  return (a < 0) != (b < 0) ? -size : size;
}

}  // namespace

void Descent::save() noexcept {
  for (std::uint32_t j = 0; j < columns_; ++j) saved_[j] = beta_[j];
}

// How far to go along the ways in saved_, Q24, at most k_step_max; zero when it does not go down.
std::int32_t Descent::leap_length(std::uint32_t threshold, std::uint32_t spread) const noexcept {
  std::int64_t penalty = 0;  // at most 128 * 2^30 * 2^15
  for (std::uint32_t j = 0; j < columns_; ++j) {
    if (saved_[j] != 0) penalty += signed_product(beta_[j] < 0 ? -limit(j, threshold) : limit(j, threshold), saved_[j]);
  }
  std::int64_t fall = 0;     // v'r, Q23 times Q24: at most 2^47 * sqrt(rows) * sqrt(rows) = 2^57
  std::uint64_t square = 0;  // v'v, Q46: at most 2^56
  for (std::uint32_t i = 0; i < view_.rows; ++i) {
    const Q15* const x = view_.base + std::size_t{i} * view_.stride;
    std::int64_t sum = 0;  // at most 128 * 2^30
    for (std::uint32_t j = 0; j < columns_; ++j) {
      if (saved_[j] != 0) sum += x[view_.column[j]] * saved_[j];
    }
    const auto v = static_cast<std::int32_t>(shift_right_round(sum, 7 + spread));  // Q23, at most 1
    fall += signed_product(v, residual_[i]);
    square += multiply_32(magnitude(v), magnitude(v));
  }
  const std::int64_t slope = (fall >> (24 + coarser_)) - (penalty >> (k_way_bits + spread));
  if (slope <= 0 || slope >= 1 << 30) return 0;
  std::int32_t length =
      square == 0 ? k_step_max : newton_q24(invert(square, 16, coarser_), static_cast<std::int32_t>(slope));
  for (std::uint32_t j = 0; j < columns_; ++j) {
    if (saved_[j] == 0 || (saved_[j] < 0) == (beta_[j] < 0)) continue;
    const std::uint64_t to_zero =
        divide_floor(std::uint64_t{magnitude(beta_[j])} << (k_way_bits + spread), magnitude(saved_[j]));
    if (to_zero < static_cast<std::uint32_t>(length)) length = static_cast<std::int32_t>(to_zero);
  }
  return length;
}

void Descent::leap(std::uint32_t threshold) noexcept {
  std::uint32_t largest = 0, active = 0;
  for (std::uint32_t j = 0; j < columns_; ++j) {
    saved_[j] = beta_[j] == 0 ? 0 : beta_[j] - saved_[j];
    largest |= magnitude(saved_[j]);
    active += saved_[j] != 0;
  }
  if (active < 2 || visits_ < active) return;
  visits_ -= active;  // it costs as much as a visit of each
  const auto bits = static_cast<int>(std::bit_width(largest)), spare = static_cast<int>(k_way_bits) - bits;
  for (std::uint32_t j = 0; j < columns_; ++j) saved_[j] = spare >= 0 ? saved_[j] * (1 << spare) : saved_[j] >> -spare;

  const auto spread = static_cast<std::uint32_t>(std::bit_width(active - 1));
  const std::int32_t length = leap_length(threshold, spread);
  // Steps into saved_, and none of them when one would leave the range: a part of the way need not go down.
  bool fits = true;
  for (std::uint32_t j = 0; j < columns_; ++j) {
    const std::int32_t b = beta_[j];
    auto step = static_cast<std::int32_t>(signed_product(length, saved_[j]) >> (k_way_bits + spread));
    if ((b + step < 0) != (b < 0)) step = -b;  // by rounding
    saved_[j] = step;
    fits = fits && magnitude(b + step) <= static_cast<std::uint32_t>(k_beta_q24_max);
  }
  for (std::uint32_t j = 0; fits && j < columns_; ++j) {
    if (saved_[j] != 0) move(j, saved_[j]);
  }
}

}  // namespace sotto
