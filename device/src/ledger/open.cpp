// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Beginning: the first ledger, and the one that is found after a reset. The cases are those of shared/spec/LEDGER.md.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_sector_min_bytes = 256, k_sector_max_bytes = 1u << 20, k_sectors_max = 2048;
constexpr std::uint32_t k_program_unit_max = 32;

bool usable(const Flash& flash) noexcept {
  const FlashGeometry& g = flash.geometry;
  const std::uint32_t rest = g.program_unit - 1u;
  return flash.read != nullptr && flash.program != nullptr && flash.erase != nullptr && flash.sync != nullptr &&
         rest < k_program_unit_max && ((g.program_unit | g.sector_bytes) & rest) == 0 &&
         g.sector_bytes - k_sector_min_bytes <= k_sector_max_bytes - k_sector_min_bytes &&
         g.sectors - 2u <= k_sectors_max - 2u && (g.erased == 0xff || g.erased == 0);
}

}  // namespace

Status Ledger::attach(const Flash& flash, const LedgerHooks& hooks) noexcept {
  if (busy_) return Status::busy;
  if (!usable(flash)) return Status::flash_geometry;
  flash_ = &flash;
  hooks_ = &hooks;
  pending_ = 0;
  open_ = true;  // for enter() and, unless what follows refuses, for good
  return enter();
}

Status Ledger::create(const Flash& flash, const LedgerHooks& hooks, const Policy& policy) noexcept {
  Status status = attach(flash, hooks);
  if (status != Status::ok) return status;
  status = find();
  if (status == Status::ok) status = Status::ledger_exists;
  // Where a create() was cut short there is nothing but what it can have written, and nothing was ever charged.
  if (status > Status::ledger_corrupt || status == Status::ledger_exists ||
      !blank(record_bytes(sizeof(HeaderBody)) + record_bytes(0), flash_bytes()))
    return leave(status);
  body_ = {};
  body_.magic = k_ledger_magic;
  body_.version = k_ledger_version;
  body_.geometry = flash.geometry;
  body_.policy = policy;
  // An empty log in the last sector, from which compact() moves on to the first.
  spent_ = {};
  studies_ = 0;
  sector_ = flash.geometry.sectors - 1u;
  log_end_ = sector_start();
  if (read_counter(body_.acts)) compact();
  return leave(Status::ok);
}

Status Ledger::open(const Flash& flash, const LedgerHooks& hooks) noexcept {
  const Status status = attach(flash, hooks);
  return status == Status::ok ? leave(find()) : status;
}

Status Ledger::find() noexcept {
  std::uint32_t newest = 0, generation = 0;
  for (std::uint32_t s = 0; s < flash_->geometry.sectors; ++s) {
    const Status status = scan(s);
    if (status == Status::no_ledger) continue;
    if (status != Status::ok) return status;
    if (generation != 0 && body_.generation - generation + 1u > 2u) return Status::ledger_corrupt;  // not neighbours
    if (body_.generation < generation) continue;
    newest = s;
    generation = body_.generation;
  }
  if (generation == 0) return blank(0, flash_bytes()) ? Status::no_ledger : Status::ledger_corrupt;
  if (newest != sector_) static_cast<void>(scan(newest));
  if (!check_tail()) return Status::ledger_corrupt;
  std::uint32_t counted = body_.acts;
  // A cut between the record and the counter leaves the ledger one ahead.
  if (read_counter(counted) && body_.acts - counted > 1u) return Status::rolled_back;
  if (fresh_end_ == 0) settle();
  if (torn_) compact();
  if (body_.acts != counted) advance_counter();
  return Status::ok;
}

/// Every public call stands between enter() and leave().
Status Ledger::enter() noexcept {
  if (!open_) return Status::no_ledger;
  const Lock* const lock = hooks_->lock;
  if (lock != nullptr && !lock->enter(lock->context)) return Status::busy;
  if (busy_) {  // a hook called back, or there is no lock
    if (lock != nullptr) lock->leave(lock->context);
    return Status::busy;
  }
  busy_ = true;
  fault_ = Status::ok;
  return Status::ok;
}

Status Ledger::leave(Status status) noexcept {
  if (fault_ != Status::ok) status = fault_;
  if (status >= Status::no_ledger && status <= Status::rolled_back && status != Status::ledger_full) open_ = false;
  busy_ = false;
  if (hooks_->lock != nullptr) hooks_->lock->leave(hooks_->lock->context);
  return status;
}

}  // namespace sotto
