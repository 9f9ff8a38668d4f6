// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The device's secret for its coins: fast key erasure, as in PrivateCoins. Who reads the image later cannot go back.
#include "guard.hpp"
#include "sotto/chacha.hpp"

namespace sotto {

Status Ledger::stir(std::uint32_t out[k_secret_words]) noexcept {
  return guarded([&] {
    std::uint32_t block[2 * k_secret_words] = {};  // the counter and the nonce are zeros: each key is used once
    std::uint32_t* const secret = image().secret;
    for (std::uint32_t i = 0; i < k_secret_words; ++i) block[i] = secret[i];
    chacha_block(block, ChachaRounds::private_coins, block);
    for (std::uint32_t i = 0; i < k_secret_words; ++i) {
      secret[i] = block[i];
      out[i] = block[k_secret_words + i];
    }
    wipe_words(block, 2 * k_secret_words);
    return Status::ok;
  });
}

}  // namespace sotto
