// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of public_coins, bit for bit.
#include "sotto/public_coins.hpp"
#include "vector_row.hpp"
#include "vectors_public_coins.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::Row;

void streams_are_the_references() {
  std::size_t n = 0;
  for (const vectors::PublicStream& v : vectors::k_public_coins) {
    const Row row{n++};
    PublicCoins coins{{v.study.data(), v.pseudonym, v.round}, static_cast<CoinPurpose>(v.purpose)};
    for (std::uint32_t i = 0; i < 40; ++i) {
      const std::uint32_t word = coins.word();
      if (i < 4) expect(v.words_0_to_3[i], word, row);
      if (i >= 15 && i < 18) expect(v.words_15_to_17[i - 15], word, row);
      if (i == 39) expect(v.word_39, word, row);
    }
  }
}

void bytes_and_places_are_those_of_the_words() {
  std::size_t n = 0;
  for (const vectors::PublicStream& v : vectors::k_public_coins) {
    const Row row{n++};
    PublicCoins coins{{v.study.data(), v.pseudonym, v.round}, static_cast<CoinPurpose>(v.purpose)};
    coins.seek(4 * 16);
    for (std::uint32_t shift = 0; shift < 32; shift += 8)
      expect(v.words_15_to_17[1] >> shift & 255u, coins.byte(), row);
    coins.seek(4 * 2);
    expect(v.words_0_to_3[2], coins.word(), row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(streams_are_the_references);
  RUN_TEST(bytes_and_places_are_those_of_the_words);
  return UNITY_END();
}
