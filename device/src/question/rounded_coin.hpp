// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/coins/private_coins.hpp"

namespace sotto {

/// Rounds v, clipped to [-bound, bound], at random to one of the two ends without bias: true, the upper end, with
/// probability (bound + v) / 2 bound, rounded to 2^-32. Draws one word, whatever v is. 0 < bound <= 2^30.
[[nodiscard, gnu::noinline]] inline bool rounded_up(std::int64_t v, std::uint32_t bound, PrivateCoins& coins) noexcept {
  const auto above = static_cast<std::uint32_t>(saturate(v, static_cast<std::int32_t>(bound))) + bound;
  return coins.word() < divide_floor(std::uint64_t{above} << 31, bound);
}

}  // namespace sotto
