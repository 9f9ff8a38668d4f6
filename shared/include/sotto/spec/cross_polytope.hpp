// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the cross-polytope randomizer, which reports a direction in up to 4096 dimensions as the index of one
/// of 2D public codewords.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// A direction, reported as one of the 2D vectors +-e_j of a publicly rotated frame: one of the k closest to x with
/// probability T/2^32, else one of the others.
struct CrossPolytopeSpec {
  static constexpr Stem k_stem = Stem::cross_polytope;
  EpsilonNano epsilon = 0;
  std::uint32_t log2_size = 0;  ///< m, 6 .. 12: D = 2^m
  std::uint32_t dimension = 0;  ///< 2 .. D, zero-padded
  std::uint32_t closest = 0;    ///< k, 1 .. D
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const CrossPolytopeSpec& spec) noexcept;
/// Refuses  bad_dimension, bad_channel: a parameter outside its range.
Status check_parameters(const CrossPolytopeSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const CrossPolytopeSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
