// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Entering and leaving a call on the ledger: lock, reentrancy, and closing after a failed hook.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

Status Ledger::enter(const LedgerHooks* hooks) noexcept {
  if (hooks == nullptr) return Status::no_ledger;
  const Lock* const lock = hooks->lock;
  if (lock != nullptr && !lock->enter(lock->context)) return Status::busy;
  if (!occupancy_.is_busy()) {
    occupancy_.begin();
    fault_ = is_lost() ? Status::ledger_in_use : Status::ok;
    return fault_ == Status::ok ? fault_ : leave(fault_);
  }
  // A hook called back, or there is no lock.
  if (lock != nullptr) lock->leave(lock->context);
  return Status::busy;
}

/// After a failed hook the memory may differ from the flash, so the ledger closes.
Status Ledger::leave(Status status) noexcept {
  const Lock* const lock = hooks_->lock;
  occupancy_.end();
  known_ = image().checksum;
  if (fault_ != Status::ok) {
    status = fault_;
    close();
  }
  if (lock != nullptr) lock->leave(lock->context);
  return status;
}

void Ledger::close() noexcept {
  if (occupancy_.is_busy()) return;  // a hook called back: the outer call continues
  hooks_ = nullptr;
  wipe_words(reinterpret_cast<WipedWord*>(image_), memory_bytes_ / 4);
}

}  // namespace sotto
