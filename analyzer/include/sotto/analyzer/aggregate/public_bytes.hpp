// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Fast generation of the public coins of a report, with which direction estimators rebuild its codeword.

#include <cstdint>

#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// How many 64-byte blocks of public coins public_bytes() makes at once.
inline constexpr std::uint32_t k_blocks_at_once = 4;
inline constexpr std::uint32_t k_public_block_bytes = 64;
inline constexpr std::uint32_t k_bytes_at_once = k_blocks_at_once * k_public_block_bytes;

/// The label's public coins from byte 64 * first_block on: the bytes that PublicCoins gives, made four blocks at a time
/// because most of the decoding time is spent here. Writes `groups` times 256 bytes.
void public_bytes(const CoinLabel& label, CoinPurpose purpose, std::uint32_t first_block, std::uint32_t groups,
                  std::uint8_t* out) noexcept;

}  // namespace sotto::analyzer
