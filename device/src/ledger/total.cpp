// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The total that all studies have spent, removed ones included.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

Charge Ledger::total_spent() const noexcept {
  if (!can_tell() || is_lost()) return {};
  Charge sum = image().retired;
  for (std::uint32_t at = entries(); at != bytes_; at += image().entry_bytes) {
    sum.epsilon = add_saturating(sum.epsilon, entry(at).spent.epsilon);
    sum.delta = add_saturating(sum.delta, entry(at).spent.delta);
  }
  return sum;
}

}  // namespace sotto
