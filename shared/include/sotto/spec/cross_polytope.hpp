// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// A direction: of the 2D vectors +-e_j, seen through a public rotation, one of the k closest to x with T/2^32, else another.
struct CrossPolytopeSpec {
  static constexpr Stem k_stem = Stem::cross_polytope;
  EpsilonNano epsilon = 0;
  std::uint32_t log2_size = 0;  ///< m, 6 .. 12: D = 2^m
  std::uint32_t dimension = 0;  ///< 2 .. D, zero-padded
  std::uint32_t closest = 0;    ///< k, 1 .. D
  std::uint32_t threshold = 0;
};

[[nodiscard]] TwoLevel channel(const CrossPolytopeSpec& spec) noexcept;
Status check_parameters(const CrossPolytopeSpec& spec) noexcept;
void encode_fields(const CrossPolytopeSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
