// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of private_coins, bit for bit.
#include "seeded_entropy.hpp"
#include "sotto/coins/private_coins.hpp"
#include "vector_row.hpp"
#include "vectors_private_coins.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::Row;

/// Runs one object through its seeds, from row `n` to the next that starts a new object.
std::size_t run_session(std::size_t n) {
  PrivateCoins coins;
  do {
    const Row row{n};
    const vectors::SeedStep& step = vectors::k_private_coins[n];
    ScriptedEntropy entropy{step.seed.data(), step.seed.size()};
    expect(step.status, coins.begin_report(entropy.source()), row);
    expect(step.status == Status::ok ? Status::ok : Status::entropy_not_ready, coins.ready(), row);
    for (std::uint32_t i = 0; i < step.words; ++i) {
      expect(vectors::k_private_coins_words[step.first_word + i], coins.word(), row);
    }
    ++n;
  } while (n < vectors::k_private_coins.size() && !vectors::k_private_coins[n].first);
  return n;
}

void seeds_are_judged_and_words_are_the_references() {
  for (std::size_t n = 0; n < vectors::k_private_coins.size();) n = run_session(n);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(seeds_are_judged_and_words_are_the_references);
  return UNITY_END();
}
