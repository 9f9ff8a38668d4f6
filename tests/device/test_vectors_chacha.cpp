// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of chacha, bit for bit.
#include "sotto/chacha.hpp"
#include "vector_row.hpp"
#include "vectors_chacha.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::Row;

std::uint32_t word_at(const std::uint8_t* b) {
  return b[0] | std::uint32_t{b[1]} << 8 | std::uint32_t{b[2]} << 16 | std::uint32_t{b[3]} << 24;
}

void blocks_of_8_and_20_rounds_are_the_references() {
  std::size_t n = 0;
  for (const vectors::ChachaBlock& v : vectors::k_chacha) {
    const Row row{n++};
    std::uint32_t key[8], nonce[3], out[16];
    for (std::size_t i = 0; i < 8; ++i) key[i] = word_at(&v.key[4 * i]);
    for (std::size_t i = 0; i < 3; ++i) nonce[i] = word_at(&v.nonce[4 * i]);
    chacha_block(key, v.counter, nonce, static_cast<ChachaRounds>(v.rounds), out);
    for (std::size_t i = 0; i < 16; ++i) expect(word_at(&v.block[4 * i]), out[i], row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(blocks_of_8_and_20_rounds_are_the_references);
  return UNITY_END();
}
