// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// Epsilon travels as whole nano-nats, delta as whole 2^-64: integers that a reader can check, and that add without rounding.
using EpsilonNano = std::uint64_t;
using DeltaUnits = std::uint64_t;

inline constexpr EpsilonNano k_epsilon_one = 1'000'000'000;
/// Above 12 nats a report is the answer itself; the 32-bit coins also lose their resolution there.
inline constexpr EpsilonNano k_epsilon_max = 12 * k_epsilon_one;

/// Sum of two charges; an overflow sticks at the largest value, which every cap refuses.
[[nodiscard]] constexpr std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t sum = a + b;
  return sum < a ? ~std::uint64_t{0} : sum;
}

}  // namespace sotto
