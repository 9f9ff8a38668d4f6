// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// Rounds are a stated choice: 20 for private coins (RFC 8439), 8 for public coins, which are known to everybody.
enum class ChachaRounds : std::uint8_t { public_coins = 8, private_coins = 20 };

/// One ChaCha block (RFC 8439 layout): 16 words from a 256-bit key, a counter and a 96-bit nonce.
/// out may be where the key is.
/// Cost     constant time.
void chacha_block(const std::uint32_t key[8], std::uint32_t counter, const std::uint32_t nonce[3], ChachaRounds rounds,
                  std::uint32_t out[16]) noexcept;

/// Key or nonce from their bytes.
void chacha_words(std::uint32_t* to, const std::uint8_t* from, int words) noexcept;

}  // namespace sotto
