// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/chacha.hpp"

#include "sotto/arm/chacha_block.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

void chacha_block(const std::uint32_t key_counter_nonce[12], ChachaRounds rounds, std::uint32_t out[16]) noexcept {
  std::uint32_t start[16];
#if defined(SOTTO_CHACHA_IN_ASSEMBLY)
  arm::chacha_block(key_counter_nonce, static_cast<std::uint32_t>(rounds), out, start);
#else
  portable::chacha_block(key_counter_nonce, static_cast<std::uint32_t>(rounds), out, start);
  wipe_stack();
#endif
}

}  // namespace sotto
