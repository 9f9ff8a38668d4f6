// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/flash.hpp"

namespace sotto {

// The counter follows the image: a cut between the two leaves the ledger one ahead, which is mended here. Copies that were made so
// carry a number that the counter did not reach. Every life therefore begins with a count of its own, before its first act: what
// that act counts is more than any copy of before carries.
Status settle_counter(const Counter& counter, std::uint32_t& acts, Settle what) noexcept {
  std::uint32_t counted = 0;
  if (!counter.read(counter.context, &counted)) return Status::counter_fault;
  if (what == Settle::create) acts = counted + 1u;
  if (acts - counted > 1u) return Status::rolled_back;
  if (what == Settle::open) {
    acts = counted + 1u;
    return Status::busy;
  }
  if (acts == counted) return Status::ok;
  return counter.advance(counter.context, acts) ? Status::ok : Status::counter_fault;
}

}  // namespace sotto
