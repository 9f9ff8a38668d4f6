// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "seed.hpp"

#include "sotto/wipe.hpp"

namespace sotto {

Status seed_coins(PrivateCoins& coins, Ledger& ledger, const EntropySource& source) noexcept {
  for (int seed = 0; seed < 2; ++seed) {
    if (const Status s = coins.begin_report(source); s != Status::ok) return s;
  }
  std::uint32_t words[k_secret_words];
  const Status status = ledger.stir(words);
  if (status == Status::ok) coins.stir(words);
  wipe_words(words, k_secret_words);
  return status;
}

}  // namespace sotto
