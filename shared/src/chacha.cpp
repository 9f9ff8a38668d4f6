// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/chacha.hpp"

#include "sotto/arm/chacha_rounds.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

/// Returns the end of what was written. Out of line, because it is used three times.
[[gnu::noinline]] std::uint32_t* copy_words(std::uint32_t* to, const std::uint32_t* from, int words) noexcept {
  do {
    *to++ = *from++;
  } while (--words != 0);
  return to;
}

}  // namespace

void chacha_block(const std::uint32_t key_counter_nonce[12], ChachaRounds rounds, std::uint32_t out[16]) noexcept {
  static constexpr std::uint32_t k_constants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  std::uint32_t start[16];
  copy_words(copy_words(start, k_constants, 4), key_counter_nonce, 12);
  copy_words(out, start, 16);  // only now: out may be where the key was

  chacha_rounds(out, static_cast<int>(rounds));
  wipe_stack();

  for (int i = 0; i < 16; ++i) {
    out[i] += start[i];
    wipe_word(start[i]);
  }
}

}  // namespace sotto
