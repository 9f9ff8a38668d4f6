// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Discrete Laplace noise on a circle of 2^bits steps: a finite channel, in constant time, without rejection.
/// The noise is g1 - g2 for two geometric variables whose binary digits are independent coins; wrapping around makes its law
/// a^z + a^(N-z) exactly, with no boundary to leak at. Proof: device/proofs/laplace.md.
struct LaplaceSpec {
  static constexpr Stem k_stem = Stem::laplace;
  EpsilonNano epsilon = 0;
  std::uint32_t radius = 0;  ///< G, 1 .. 4096: values are -G .. G grid steps, sensitivity 2G
  std::uint32_t bits = 0;    ///< nb, the one that derive() gives
};

inline constexpr std::uint32_t k_laplace_radius_max = 4096;
inline constexpr std::uint32_t k_laplace_bits_max = 24;

Status check_parameters(const LaplaceSpec& spec) noexcept;
Status check_channel(const LaplaceSpec& spec) noexcept;
/// Fills in the number of bits.
Status derive(LaplaceSpec& spec) noexcept;
void encode_fields(const LaplaceSpec& spec, ByteWriter& out) noexcept;

/// Exponent of one grid step, Q40: the noise law falls by e^-y a step.
[[nodiscard]] std::uint64_t laplace_step_q40(const LaplaceSpec& spec) noexcept;
/// Coin of digit j of a geometric variable: set when a 64-bit word is below it. `step` is laplace_step_q40().
[[nodiscard]] std::uint64_t laplace_digit_threshold(std::uint64_t step, std::uint32_t digit) noexcept;

}  // namespace sotto
