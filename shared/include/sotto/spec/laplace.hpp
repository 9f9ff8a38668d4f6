// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the discrete Laplace randomizer: integer noise modulo a power of two, pure epsilon.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Discrete Laplace noise modulo N = 2^bits: a finite channel, sampled in constant time without rejection. The noise is
/// g1 - g2 for two geometric variables whose binary digits are independent coins. The report wraps around, so the
/// probability of a distance z is proportional to a^z + a^(N-z) exactly, and there is no boundary at which clipping
/// could leak. Proof: device/proofs/laplace.md.
struct LaplaceSpec {
  static constexpr Stem k_stem = Stem::laplace;
  EpsilonNano epsilon = 0;
  std::uint32_t radius = 0;  ///< G, 1 .. 4096: values are -G .. G grid steps, sensitivity 2G
  std::uint32_t bits = 0;    ///< log2 N; must be the number that derive() sets
};

inline constexpr std::uint32_t k_laplace_radius_max = 4096;
inline constexpr std::uint32_t k_laplace_bits_max = 24;

/// Refuses  bad_channel: a parameter outside its range.
Status check_parameters(const LaplaceSpec& spec) noexcept;
/// Refuses  bad_epsilon: no number of bits suits it; bad_channel: `bits` is not the number that derive() sets.
Status check_channel(const LaplaceSpec& spec) noexcept;
/// Sets the number of bits.
Status derive(LaplaceSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const LaplaceSpec& spec, ByteWriter& out) noexcept;

/// The exponent y of one grid step, Q40: the probability of the noise falls by a factor of e^-y a step.
[[nodiscard]] std::uint64_t laplace_step_q40(const LaplaceSpec& spec) noexcept;
/// The threshold of digit j of a geometric variable: the digit is 1 if a random 64-bit word is below it. `step` is
/// laplace_step_q40().
[[nodiscard]] std::uint64_t laplace_digit_threshold(std::uint64_t step, std::uint32_t digit) noexcept;

}  // namespace sotto
