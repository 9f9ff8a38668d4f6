// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Hadamard response: an outcome on which the category's Walsh function is +1, with probability T/2^32, else one where it is -1.
/// Needs no public coins. Used for bins as in the papers; the vote oracle has less noise above epsilon 1.
struct HadamardResponseSpec {
  static constexpr Stem k_stem = Stem::hadamard_response;
  EpsilonNano epsilon = 0;
  std::uint32_t log2_size = 0;   ///< L, 2 .. 24: there are 2^L outcomes
  std::uint32_t categories = 0;  ///< 2 .. 2^L - 1
  std::uint32_t threshold = 0;
};

[[nodiscard]] TwoLevel channel(const HadamardResponseSpec& spec) noexcept;
Status check_parameters(const HadamardResponseSpec& spec) noexcept;
void encode_fields(const HadamardResponseSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
