// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the block randomizer, which reports k signs at once.

#include <span>

#include "sotto/public_coins.hpp"
#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Block randomized response for k signs: all words within t sign flips of the true one share the probability T/2^32,
/// the others share the rest.
struct BlockSpec {
  static constexpr Stem k_stem = Stem::block;
  EpsilonNano epsilon = 0;
  std::uint32_t width = 0;      ///< k, 1 .. 24
  std::uint32_t flips = 0;      ///< t, 0 .. k-1
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_block_width_max = 24;

/// The number of words of `width` bits with at most `flips` set bits.
[[nodiscard]] std::uint32_t patterns_within(std::uint32_t width, std::uint32_t flips) noexcept;

/// n*f/d for binomial steps C -> C*f/d, where d divides n*f, d <= 24 and n*f < 2^27. A multiplication in place of a
/// division, so that the time does not depend on private ranks.
[[nodiscard]] std::uint32_t scale_exact(std::uint32_t n, std::uint32_t f, std::uint32_t d) noexcept;

/// Chooses the public block by Floyd's sampling without replacement: out.size() distinct coordinates of
/// [0, coordinates). Bit i of a report belongs to out[i]. 1 <= out.size() <= coordinates.
void block_coordinates(const CoinLabel& label, std::uint32_t coordinates, const std::span<std::uint32_t>& out) noexcept;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const BlockSpec& spec) noexcept;
/// Refuses  bad_channel: a parameter outside its range.
Status check_parameters(const BlockSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const BlockSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
