// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/flash.hpp"

namespace sotto {

// The counter follows the image: a cut between the two leaves the ledger one ahead, which is mended here.
Status settle_counter(const Counter& counter, std::uint32_t& acts, Settle what) noexcept {
  std::uint32_t counted = 0;
  if (!counter.read(counter.context, &counted)) return Status::counter_fault;
  if (what == Settle::begin) acts = counted;
  if (acts == counted) return Status::ok;
  if (acts - counted != 1u) return Status::rolled_back;
  if (what == Settle::look) return Status::busy;
  return counter.advance(counter.context, acts) ? Status::ok : Status::counter_fault;
}

}  // namespace sotto
