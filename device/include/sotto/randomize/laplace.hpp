// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The discrete Laplace randomizer: adds integer noise to a number, pure epsilon, constant time. G is the spec's
/// radius, in grid steps.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/spec/laplace.hpp"

namespace sotto {

/// Reports value + discrete Laplace noise modulo 2^bits grid steps.
/// Privacy  pure epsilon at sensitivity 2G; finite channel, constant time. Proof: device/proofs/laplace.md
/// Refuses  an uncertified spec, coins that are not ready. The value is clipped to [-G, G].
Status laplace(const Certified<LaplaceSpec>& certified, std::int32_t value, PrivateCoins& coins,
               std::uint32_t& report) noexcept;

/// The noise g1 - g2 modulo 2^32, before it is reduced modulo 2^bits. Draws 4 words for each digit.
[[nodiscard]] std::uint32_t laplace_noise(const LaplaceSpec& spec, PrivateCoins& coins) noexcept;
/// The report as a function of the value and the noise.
[[nodiscard]] std::uint32_t laplace_report(const LaplaceSpec& spec, std::int32_t value, std::uint32_t noise) noexcept;

}  // namespace sotto
