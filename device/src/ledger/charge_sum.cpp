// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "charge_sum.hpp"

namespace sotto {

namespace {

// Out of line: flash is short where the ledger is used.
[[gnu::noinline]] void add_one(std::uint64_t& sum, std::uint64_t more) noexcept { sum = add_saturating(sum, more); }

}  // namespace

void add(Charge& sum, const Charge& charge) noexcept {
  add_one(sum.epsilon, charge.epsilon);
  add_one(sum.delta, charge.delta);
}

[[gnu::noinline]] bool exceeds(const std::uint64_t& spent, std::uint64_t more, const std::uint64_t& cap) noexcept {
  return spent > cap || more > cap - spent;
}

bool exceeds(const Charge& spent, const Charge& charge, const Charge& cap) noexcept {
  return exceeds(spent.epsilon, charge.epsilon, cap.epsilon) || exceeds(spent.delta, charge.delta, cap.delta);
}

}  // namespace sotto
