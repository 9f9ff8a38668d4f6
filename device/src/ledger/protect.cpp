// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The protections of a ledger: hands the moments of its life to the lock, the counter and the key. In a file of its own
// so that a firmware without protections does not link it.
#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/image.hpp"

namespace sotto {
namespace {

/// A counter without `settle` would count nothing, a key without `tag` would authenticate nothing.
[[nodiscard]] Status enter(const LedgerHooks& hooks) noexcept {
  if (hooks.counter != nullptr && hooks.counter->settle == nullptr) return Status::counter_fault;
  if (hooks.key != nullptr && (hooks.key->tag == nullptr || hooks.key->code == nullptr)) return Status::ledger_foreign;
  return hooks.lock == nullptr || hooks.lock->enter(hooks.lock->context) ? Status::ok : Status::busy;
}

}  // namespace

Status protect_ledger(const LedgerHooks& hooks, ImageHead& image, Moment moment, Status& fault) noexcept {
  if (moment == Moment::enter) return enter(hooks);
  if (moment == Moment::leave) {
    if (hooks.lock != nullptr) hooks.lock->leave(hooks.lock->context);
    return Status::ok;
  }
  if (moment >= Moment::tag) {
    const bool sound = hooks.key == nullptr || hooks.key->tag(*hooks.key, image, moment == Moment::check, fault);
    return sound ? Status::ok : Status::ledger_corrupt;
  }
  const Counter* const counter = hooks.counter;
  return counter == nullptr ? Status::ok : counter->settle(*counter, image.acts, static_cast<Settle>(moment));
}

}  // namespace sotto
