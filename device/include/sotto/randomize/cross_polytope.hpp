// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The cross-polytope randomizer: reports a direction in up to 4096 dimensions as the number of a public codeword. D =
/// 2^log2_size is the size of the frame, k the spec's closest and T its threshold.

#include <span>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/cross_polytope.hpp"

namespace sotto {

/// Reports a direction as a codeword number 2j + s, which stands for +e_j (s = 0) or -e_j (s = 1) in a publicly rotated
/// frame: with probability T/2^32 one of the k codewords closest to x. x is a unit vector in Q15; any other vector is
/// answered by its direction. The size of x is public: a device with nothing to say passes zeros. `work` holds D
/// numbers, which are private afterwards: wipe it.
/// Privacy  pure epsilon for any rotation and rounding; e^epsilon = T(2D-k)/(k(2^32-T)). Proof:
///          device/proofs/cross_polytope.md
/// Refuses  an uncertified spec, coins that are not ready, short_buffer: x or work is not of the spec's size.
Status cross_polytope(const Certified<CrossPolytopeSpec>& certified, const CoinLabel& label,
                      const std::span<const Q15>& x, const std::span<std::int32_t>& work, PrivateCoins& coins,
                      std::uint32_t& report) noexcept;

/// Writes x to `work` (D numbers), zero-padded and rotated by three rounds of public signs and Hadamard transforms.
void cross_polytope_rotate(const CrossPolytopeSpec& spec, const CoinLabel& label, const std::span<const Q15>& x,
                           const std::span<std::int32_t>& work) noexcept;
/// The report as a function of the rotated coordinates (overwritten) and the drawn words. Constant time.
[[nodiscard]] std::uint32_t cross_polytope_report(const CrossPolytopeSpec& spec, const std::span<std::int32_t>& rotated,
                                                  const TwoLevelDraw& draw) noexcept;

}  // namespace sotto
