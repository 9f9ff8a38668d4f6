// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/exp_bound.hpp"

#include "sotto/wide.hpp"

namespace sotto {

namespace {
constexpr std::uint64_t k_q93_per_nano = 9903520314283042199u;  // floor(2^93 / 10^9)
constexpr int k_squarings = 24;
}  // namespace

ExponentQ40 exponent_q40(EpsilonNano epsilon) noexcept {
  // The factor is odd and epsilon below 2^53, so the product is no multiple of 2^64, and its floor is the ceiling minus
  // one.
  return multiply_high_ceil(epsilon << 11, k_q93_per_nano) - 1;
}

std::uint64_t exp_neg_upper_q64(ExponentQ40 y) noexcept {
  // g = y / 2^24 in Q64 has the same digits as y in Q40. The series of e^-g alternates, so truncation after the
  // quadratic term errs upward: e^-g <= 1 - g + g^2/2.
  const std::uint32_t half_square = (static_cast<std::uint32_t>(multiply_high_ceil(y, y)) + 1) >> 1;  // below 2^26
  std::uint64_t s = half_square - y;  // 2^64 - y + half_square, modulo 2^64
  if (s == 0) --s;                    // y is 0 or 1; the half square of anything else is below it
  for (int i = 0; i < k_squarings; ++i) s = multiply_high_ceil(s, s);
  return s;
}

}  // namespace sotto
