// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the sphere code randomizer, which reports a direction in up to 64 dimensions as the number of a public
/// codeword.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// A direction in few dimensions, reported as one of M public random codewords on the sphere: one of the k closest to x
/// with probability T/2^32, else one of the others.
struct SphereCodeSpec {
  static constexpr Stem k_stem = Stem::sphere_code;
  EpsilonNano epsilon = 0;
  std::uint32_t dimension = 0;  ///< 2 .. 64
  std::uint32_t codewords = 0;  ///< M, 2 .. 4096
  std::uint32_t closest = 0;    ///< k, 1 .. M-1
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_sphere_dimension_max = 64;
inline constexpr std::uint32_t k_codewords_max = 4096;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const SphereCodeSpec& spec) noexcept;
/// Refuses  bad_dimension, bad_channel: a parameter outside its range.
Status check_parameters(const SphereCodeSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const SphereCodeSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
