// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "seed.hpp"

namespace sotto {

Status seed_coins(PrivateCoins& coins, Ledger& ledger, const EntropySource& source) noexcept {
  const Status status = coins.begin_first_report(source);
  return status == Status::ok ? ledger.stir(coins) : status;
}

}  // namespace sotto
