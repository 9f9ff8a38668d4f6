// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of Hadamard response, which reports one of up to 2^24 - 1 categories.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Hadamard response: with probability T/2^32 an outcome on which the category's Walsh function is +1, else one where
/// it is -1. Needs no public coins. It serves bins, as in the literature; walsh_hash has less noise above epsilon 1.
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
