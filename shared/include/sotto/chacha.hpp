// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The ChaCha block function, the source of all pseudorandom bits of the library: sealing, private coins and public
/// coins.

#include <cstdint>

namespace sotto {

/// The number of rounds: 20 for private coins and sealing (RFC 8439); 8 for public coins, which are not secret.
enum class ChachaRounds : std::uint8_t { public_coins = 8, private_coins = 20 };

/// Computes one ChaCha block (RFC 8439): 16 words from a 256-bit key, a counter and a 96-bit nonce, which are adjacent
/// in this order. `out` may begin at the same address.
/// Cost     constant time.
void chacha_block(const std::uint32_t key_counter_nonce[12], ChachaRounds rounds, std::uint32_t out[16]) noexcept;

/// The same for key, counter and nonce at different addresses.
inline void chacha_block(const std::uint32_t key[8], std::uint32_t counter, const std::uint32_t nonce[3],
                         ChachaRounds rounds, std::uint32_t out[16]) noexcept {
  for (int i = 7; i >= 0; --i) out[i] = key[i];
  out[8] = counter;
  for (int i = 0; i < 3; ++i) out[9 + i] = nonce[i];
  chacha_block(out, rounds, out);
}

}  // namespace sotto
