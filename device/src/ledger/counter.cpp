// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/flash.hpp"

namespace sotto {

// The counter advances after the image is written. A power cut between the two leaves the ledger one ahead, which is
// corrected here. Copies of the flash made in that state carry a number that the counter had not reached. Therefore
// each opening counts once before its first act, and that act then has a higher number than any earlier copy.
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
