// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "sotto/spec/walsh_hash.hpp"

// What one report of a linear hash adds to the Walsh spectrum of the counts.
namespace sotto::analyzer {

/// Adds the terms of one report. The number of bits is a template argument so that the compiler unrolls the loop for
/// small values.
template <std::uint32_t bits>
void add_walsh_terms(std::span<std::int64_t> sums, const std::uint32_t* masks, std::uint32_t report) noexcept {
  const auto within = static_cast<std::uint32_t>(sums.size() - 1);
  // The place R^T s and, in the top bit, the sign (-1)^(s.y) of every s. Those with highest set bit i are those below
  // XOR one word, so each s costs one XOR without a dependency on its neighbour. Masks have at most 24 bits: the top
  // bit is free.
  std::array<std::uint32_t, std::size_t{1} << bits> places;
  places[0] = 0;
  for (std::uint32_t i = 0; i < bits; ++i) {
    const std::uint32_t word = (masks[i] & within) | (report >> i & 1u) << 31;
    for (std::uint32_t s = 0; s < (1u << i); ++s) places[(1u << i) + s] = places[s] ^ word;
  }
  for (std::uint32_t s = 1; s < places.size(); ++s) {
    sums[places[s] & within] += 1 - 2 * static_cast<std::int64_t>(places[s] >> 31);
  }
}

using WalshAdder = void (*)(std::span<std::int64_t>, const std::uint32_t*, std::uint32_t) noexcept;

template <std::uint32_t... less_one>
constexpr auto walsh_adders(std::integer_sequence<std::uint32_t, less_one...>) noexcept {
  return std::array<WalshAdder, sizeof...(less_one)>{add_walsh_terms<less_one + 1>...};
}
inline constexpr auto k_walsh_adders = walsh_adders(std::make_integer_sequence<std::uint32_t, k_hash_bits_max>{});

}  // namespace sotto::analyzer
