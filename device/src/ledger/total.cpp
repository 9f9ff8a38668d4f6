// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/ledger.hpp"

namespace sotto {

Charge Ledger::total_spent() const noexcept {
  Charge sum;
  if (!is_open()) return sum;
  for (std::uint32_t at = k_image_head_bytes; at != bytes_; at += image().entry_bytes) {
    sum.epsilon = add_saturating(sum.epsilon, entry(at).spent.epsilon);
    sum.delta = add_saturating(sum.delta, entry(at).spent.delta);
  }
  return sum;
}

}  // namespace sotto
