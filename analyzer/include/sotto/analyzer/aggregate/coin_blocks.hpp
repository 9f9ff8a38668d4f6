// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Public coins of four devices at once, for estimators that recompute the coins of every report.

#include <array>
#include <cstddef>
#include <cstdint>

#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// The number of devices computed at once, one in each lane of a vector register.
inline constexpr std::size_t k_coin_lanes = 4;

/// Sixteen words of public coins of each device, the same words that PublicCoins gives.
struct CoinBlocks {
  alignas(16) std::uint32_t word[16][k_coin_lanes];  ///< word[i][lane]
};

/// Block `number` (words 16*number .. 16*number+15 of the stream) of each pseudonym.
void coin_blocks(const std::uint8_t* study_seed, std::uint16_t round, CoinPurpose purpose, std::uint32_t number,
                 const std::array<std::uint64_t, k_coin_lanes>& pseudonyms, CoinBlocks& out) noexcept;

}  // namespace sotto::analyzer
