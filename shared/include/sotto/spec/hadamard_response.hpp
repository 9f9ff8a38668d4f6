// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of Hadamard response, which reports one of up to 2^24 - 1 categories.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Hadamard response: with probability T/2^32 an outcome on which the category's Walsh function is +1, else one where
/// it is -1. Needs no public coins. Questions of kind `bin` may use it, as published protocols do; walsh_hash has less
/// noise for epsilon above 1.
struct HadamardResponseSpec {
  static constexpr Stem k_stem = Stem::hadamard_response;
  EpsilonNano epsilon = 0;
  std::uint32_t log2_size = 0;   ///< L, 2 .. 24: there are 2^L outcomes
  std::uint32_t categories = 0;  ///< 2 .. 2^L - 1
  std::uint32_t threshold = 0;   ///< T; derive() sets the largest one that epsilon allows
};

/// The two-level channel (sotto/two_level.hpp) of a spec that passed check_parameters().
[[nodiscard]] TwoLevel channel(const HadamardResponseSpec& spec) noexcept;
/// Refuses  bad_dimension, bad_channel: a parameter outside its range.
Status check_parameters(const HadamardResponseSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const HadamardResponseSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto
