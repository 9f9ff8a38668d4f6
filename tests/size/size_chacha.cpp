// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/chacha.hpp"

using namespace sotto;

// The base: start-up code and one ChaCha block.
int main() {
  std::uint32_t key[8], block[16];
  if (!firmware_entropy.read(firmware_entropy.context, reinterpret_cast<std::uint8_t*>(key), sizeof key)) return 1;
  chacha_block(key, firmware_answer, key, ChachaRounds::private_coins, block);
  firmware_report = block[0];
  return 0;
}
