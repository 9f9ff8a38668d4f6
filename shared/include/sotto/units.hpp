// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The units of a privacy loss: epsilon in nano-nats and delta in 2^-64, as integers.

#include <cstdint>

namespace sotto {

/// Epsilon is a whole number of 10^-9 nats, delta a whole number of 2^-64: integers that can be checked and added
/// without rounding.
using EpsilonNano = std::uint64_t;
using DeltaUnits = std::uint64_t;

inline constexpr EpsilonNano k_epsilon_one = 1'000'000'000;
/// The largest epsilon that is accepted, 12 nats. Above it a report is nearly the answer itself, and 32-bit thresholds
/// lose their resolution.
inline constexpr EpsilonNano k_epsilon_max = 12 * k_epsilon_one;

/// The sum of two privacy losses, saturating at 2^64 - 1, which every cap refuses.
[[nodiscard]] constexpr std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) noexcept {
  const std::uint64_t sum = a + b;
  return sum | (sum < a ? ~std::uint64_t{0} : 0);
}

}  // namespace sotto
