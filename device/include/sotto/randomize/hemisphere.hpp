// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The hemisphere randomizer: reports a direction in one bit. T is the spec's threshold.

#include <span>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/hemisphere.hpp"

namespace sotto {

/// Reports on which side of a public random hyperplane the vector x is: 1 for <u, x> >= 0, u the hyperplane's normal;
/// the bit is kept with probability T/2^32 and flipped otherwise. x is a unit vector in Q15; any other vector is
/// answered by its direction. The size of x is public: a device with nothing to say passes zeros.
/// Privacy  pure epsilon for any u and any arithmetic before the coin; e^epsilon = T/(2^32-T). Proof:
///          device/proofs/hemisphere.md
/// Refuses  an uncertified spec, coins that are not ready, short_buffer: x is not of the spec's dimension.
Status hemisphere(const Certified<HemisphereSpec>& certified, const CoinLabel& label, const std::span<const Q15>& x,
                  PrivateCoins& coins, std::uint32_t& report) noexcept;

/// 1 when <u, x> >= 0, else 0.
[[nodiscard]] std::uint32_t hemisphere_side(const CoinLabel& label, const std::span<const Q15>& x) noexcept;

}  // namespace sotto
