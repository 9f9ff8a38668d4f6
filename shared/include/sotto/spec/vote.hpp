// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the vote randomizer: a vote for the one feature that matters on a device, reported through one of two
/// frequency oracles.

#include "sotto/spec/grr.hpp"
#include "sotto/spec/walsh_hash.hpp"

namespace sotto {

/// The frequency oracle behind a vote.
enum class VoteOracle : std::uint32_t { grr = 1, walsh_hash = 2 };

/// A vote for one of d features, or for none (category d), through the oracle with the smaller variance at this
/// epsilon.
struct VoteSpec {
  static constexpr Stem k_stem = Stem::vote;
  EpsilonNano epsilon = 0;
  std::uint32_t features = 0;   ///< d, 2 .. 2^24 - 1
  std::uint32_t oracle = 0;     ///< a VoteOracle, as a number
  std::uint32_t bits = 0;       ///< output bits of walsh_hash; 0 for grr
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const VoteSpec& spec) noexcept;
/// Refuses  bad_dimension, bad_channel: a parameter outside its range.
Status check_parameters(const VoteSpec& spec) noexcept;
/// Chooses the oracle with the smaller variance at spec.epsilon for spec.features, then its threshold.
Status derive(VoteSpec& spec) noexcept;
/// The spec of the oracle over features + 1 categories; the caller knows which oracle was chosen.
[[nodiscard]] GrrSpec as_grr(const VoteSpec& spec) noexcept;
[[nodiscard]] WalshHashSpec as_walsh_hash(const VoteSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const VoteSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
