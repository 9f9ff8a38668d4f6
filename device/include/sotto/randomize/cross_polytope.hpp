// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/cross_polytope.hpp"

namespace sotto {

/// Reports a direction as a codeword number 2j + s, +e_j or -e_j in the rotated frame: one of the k closest to x with T/2^32.
/// x is a unit vector in Q15; any other is answered too, by its direction. Its length is public: with nothing to say, pass zeros. work holds D numbers,
/// private ones afterwards: wipe it.
/// Privacy  pure epsilon for any rotation and rounding; e^epsilon = T(2D-k)/(k(2^32-T)). Proof: device/proofs/cross_polytope.md
/// Refuses  an uncertified spec, coins without a begun report, short_buffer: x or work is not of the spec's size.
Status cross_polytope(const Certified<CrossPolytopeSpec>& certified, const CoinLabel& label,
                      const std::span<const Q15>& x, const std::span<std::int32_t>& work, PrivateCoins& coins,
                      std::uint32_t& report) noexcept;

/// x, zero-padded and rotated by three rounds of public signs and Hadamard transforms, into work (D numbers).
void cross_polytope_rotate(const CrossPolytopeSpec& spec, const CoinLabel& label, const std::span<const Q15>& x,
                           const std::span<std::int32_t>& work) noexcept;
/// The report for rotated coordinates (overwritten) and the words drawn.
[[nodiscard]] std::uint32_t cross_polytope_report(const CrossPolytopeSpec& spec, const std::span<std::int32_t>& rotated,
                                                  const TwoLevelDraw& draw) noexcept;

}  // namespace sotto
