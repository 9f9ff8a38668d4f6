// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// Blocks of public coins that public_bytes makes at once, and their bytes.
inline constexpr std::uint32_t k_blocks_at_once = 4;
inline constexpr std::uint32_t k_public_block_bytes = 64;
inline constexpr std::uint32_t k_bytes_at_once = k_blocks_at_once * k_public_block_bytes;

/// Bytes 64 * first_block onward of the label's public coins: those that PublicCoins gives, made four blocks at a time because
/// most of the decoding time is spent here. Writes `groups` times 256 bytes.
void public_bytes(const CoinLabel& label, CoinPurpose purpose, std::uint32_t first_block, std::uint32_t groups,
                  std::uint8_t* out) noexcept;

}  // namespace sotto::analyzer
