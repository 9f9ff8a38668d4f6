// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Correlated columns make coordinate descent progress slowly along a line. The displacement since save() gives its
// direction: leap() moves to the minimum on that line, as if v = sum_j u_j x_j were one more column, but stops where a
// coefficient reaches zero.
#include <bit>

#include "descent.hpp"
#include "newton.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

// A displacement has 15 bits; u_j = displacement_j / 2^(15+spread) with 2^spread at least the number of columns that
// move, so that |v| <= 1.
constexpr std::uint32_t k_way_bits = 15;
static_assert((1u << 7) == k_lasso_columns_max);  // spread is at most 7

}  // namespace

// Both functions are out of line: inlined, they would run out of registers.

// How far to move along the displacements, Q24, at most k_step_max; zero if the objective does not decrease.
[[gnu::noinline]] std::int32_t Descent::leap_length(std::uint32_t spread) const noexcept {
  std::int64_t penalty = 0;  // at most 128 * 2^30 * 2^15
  for (const Column& c : columns_) penalty += multiply_signed(c.beta < 0 ? -limit(c) : limit(c), c.saved);
  std::int64_t fall = 0;    // v'r, Q23 times Q24: at most 2^47 * sqrt(rows) * sqrt(rows) = 2^57
  std::int64_t square = 0;  // v'v, Q46: at most 2^56
  for (std::uint32_t i = 0; i < view_.rows; ++i) {
    const Q15* const x = view_.base + std::size_t{i} * view_.stride;
    std::int64_t sum = 0;  // at most 128 * 2^30
    for (const Column& c : columns_) {
      if (c.saved != 0) sum += x[offset(c)] * c.saved;
    }
    const auto v = static_cast<std::int32_t>(shift_right_round(sum, 7 + spread));  // Q23, at most 1
    fall += multiply_signed(v, residual_[i]);
    square += multiply_signed(v, v);
  }
  constexpr std::int32_t k_slope_max = 1 << 30;
  const std::int32_t slope =
      saturate(shift_right_floor(fall, 24 + coarser_) - shift_right_floor(penalty, k_way_bits + spread), k_slope_max);
  if (slope <= 0 || slope == k_slope_max) return 0;
  const Inverse inverse = invert(static_cast<std::uint64_t>(square), 16, coarser_);
  std::int32_t length = square == 0 ? k_step_max : newton_q24(slope, inverse.mantissa, inverse.shift);
  for (const Column& c : columns_) {
    if (c.saved == 0 || (c.saved ^ c.beta) >= 0) continue;
    const std::uint64_t to_zero = shifted_quotient(magnitude(c.beta), k_way_bits + spread, magnitude(c.saved));
    if (to_zero < static_cast<std::uint32_t>(length)) length = static_cast<std::int32_t>(to_zero);
  }
  return length;
}

[[gnu::noinline]] void Descent::leap() noexcept {
  std::uint32_t largest = 0, active = 0;
  for (Column& c : columns_) {
    c.saved = c.beta == 0 ? 0 : c.beta - c.saved;
    largest |= magnitude(c.saved);
    active += c.saved != 0;
  }
  if (active < 2 || visits_ < active) return;
  visits_ -= active;  // a leap costs as much as a visit of each active column
  const auto bits = static_cast<int>(std::bit_width(largest)), spare = static_cast<int>(k_way_bits) - bits;
  for (Column& c : columns_) c.saved = spare >= 0 ? c.saved * (1 << spare) : c.saved >> -spare;

  const auto spread = static_cast<std::uint32_t>(std::bit_width(active - 1));
  const std::int32_t length = leap_length(spread);
  // Replaces the displacements by steps. If one step would leave the range, none is made: a part of the steps need not
  // decrease the objective.
  std::uint32_t farthest = 0;
  for (Column& c : columns_) {
    const std::int32_t b = c.beta;
    auto step = static_cast<std::int32_t>(shift_right_floor(multiply_signed(length, c.saved), k_way_bits + spread));
    if (((b + step) ^ b) < 0) step = -b;  // rounding carried it across zero
    c.saved = step;
    const std::uint32_t size = magnitude(b + step);
    farthest = size > farthest ? size : farthest;
  }
  if (farthest > static_cast<std::uint32_t>(k_beta_q24_max)) return;
  for (Column& c : columns_) {
    if (c.saved != 0) move(c, c.saved);
  }
}

}  // namespace sotto
