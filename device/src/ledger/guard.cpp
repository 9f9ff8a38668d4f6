// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Entering and leaving a call on the ledger: lock, reentrancy, and closing after a failed hook.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

[[gnu::noinline]] Status Ledger::protect(const LedgerHooks& hooks, Moment moment) noexcept {
  return hooks.protect == nullptr ? Status::ok : hooks.protect(hooks, image(), moment, fault_);
}

Status Ledger::enter(const LedgerHooks* hooks) noexcept {
  if (hooks == nullptr) return Status::no_ledger;
  if (const Status s = protect(*hooks, Moment::enter); s != Status::ok) return s;
  if (!occupancy_.is_busy()) {
    occupancy_.begin();
    fault_ = is_lost() ? Status::ledger_in_use : Status::ok;
    return fault_ == Status::ok ? fault_ : leave(fault_);
  }
  // A hook called back, or there is no lock.
  (void)protect(*hooks, Moment::leave);
  return Status::busy;
}

/// After a failed hook the memory may differ from the flash, so the ledger closes.
Status Ledger::leave(Status status) noexcept {
  const LedgerHooks& hooks = *hooks_;  // close() forgets them
  occupancy_.end();
  known_ = image().checksum;
  if (fault_ != Status::ok) {
    status = fault_;
    close();
  }
  (void)protect(hooks, Moment::leave);
  return status;
}

void Ledger::close() noexcept {
  if (occupancy_.is_busy()) return;  // a hook called back: the outer call continues
  hooks_ = nullptr;
  wipe_words(reinterpret_cast<WipedWord*>(image_), memory_bytes_ / 4);
}

}  // namespace sotto
