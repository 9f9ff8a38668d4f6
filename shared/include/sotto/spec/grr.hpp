// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of generalised randomized response, which reports one of c categories.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Generalised randomized response: the true category with probability T/2^32, else one of the others, uniformly.
struct GrrSpec {
  static constexpr Stem k_stem = Stem::grr;
  EpsilonNano epsilon = 0;
  std::uint32_t categories = 0;  ///< 2 .. 2^24
  std::uint32_t threshold = 0;   ///< T; derive() sets the largest one that epsilon allows
};

inline constexpr std::uint32_t k_categories_max = std::uint32_t{1} << 24;

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const GrrSpec& spec) noexcept;
/// Refuses  bad_dimension: a parameter outside its range.
Status check_parameters(const GrrSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const GrrSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
