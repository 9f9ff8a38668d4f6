// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the hemisphere randomizer, which reports a direction in one bit.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// The side of a public random hyperplane on which the vector lies, reported truthfully with probability T/2^32.
struct HemisphereSpec {
  static constexpr Stem k_stem = Stem::hemisphere;
  EpsilonNano epsilon = 0;
  std::uint32_t dimension = 0;  ///< 2 .. 512
  std::uint32_t threshold = 0;  ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_hemisphere_dimension_max = 512;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const HemisphereSpec& spec) noexcept;
/// Refuses  bad_dimension: a parameter outside its range.
Status check_parameters(const HemisphereSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const HemisphereSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
