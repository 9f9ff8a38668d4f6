// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The sphere code randomizer: reports a direction in up to 64 dimensions as the number of a public codeword. M is the
/// spec's number of codewords, k its closest and T its threshold.

#include <span>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/sphere_code.hpp"

namespace sotto {

/// Reports a direction in few dimensions as the number of a public codeword: with probability T/2^32 one of the k of M
/// codewords closest to x. x is a unit vector in Q15; any other vector is answered by its direction. The size of x is
/// public: a device with nothing to say passes zeros. `work` holds M scores, which are private afterwards: wipe it.
/// Privacy  pure epsilon for any codebook; e^epsilon = T(M-k)/(k(2^32-T)). Proof: device/proofs/sphere_code.md
/// Refuses  an uncertified spec, coins that are not ready, short_buffer: x or work is not of the spec's size.
Status sphere_code(const Certified<SphereCodeSpec>& certified, const CoinLabel& label, const std::span<const Q15>& x,
                   const std::span<std::uint16_t>& work, PrivateCoins& coins, std::uint32_t& report) noexcept;

/// Writes the inner products of x with the M unit codewords to `work`, as Q15 plus 32768.
void sphere_code_scores(const SphereCodeSpec& spec, const CoinLabel& label, const std::span<const Q15>& x,
                        const std::span<std::uint16_t>& work) noexcept;
/// The report as a function of the scores and the drawn words: draws nothing, constant time.
[[nodiscard]] std::uint32_t sphere_code_report(const SphereCodeSpec& spec, const std::span<const std::uint16_t>& scores,
                                               const TwoLevelDraw& draw) noexcept;

}  // namespace sotto
