// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the walsh_hash randomizer, local hashing for many categories.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Local hashing by random linear maps: b parities of the category with public masks, then randomized response over the
/// 2^b values. Two categories collide with probability exactly 2^-b, so this is optimal local hashing with a fast
/// decoder.
struct WalshHashSpec {
  static constexpr Stem k_stem = Stem::walsh_hash;
  EpsilonNano epsilon = 0;
  std::uint32_t categories = 0;  ///< 2 .. 2^24
  std::uint32_t bits = 0;        ///< b, 1 .. 12
  std::uint32_t threshold = 0;   ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_hash_bits_max = 12;

/// The length of a mask in bits: enough for the largest category.
[[nodiscard]] std::uint32_t mask_bits(const WalshHashSpec& spec) noexcept;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const WalshHashSpec& spec) noexcept;
/// Refuses  bad_dimension, bad_channel: a parameter outside its range.
Status check_parameters(const WalshHashSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const WalshHashSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
