// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/ledger.hpp"

namespace sotto {

void Ledger::fail(Status status) noexcept {
  if (fault_ == Status::ok) fault_ = status;
}

bool Ledger::read(std::uint32_t address, void* out, std::uint32_t bytes) noexcept {
  const bool ok = flash_->read(flash_->context, address, static_cast<std::uint8_t*>(out), bytes);
  if (!ok) fail(Status::flash_fault);
  return ok;
}

/// And a sync: nothing is written into a sector whose erase may be undone.
void Ledger::erase(std::uint32_t sector) noexcept {
  if (fault_ == Status::ok && !flash_->erase(flash_->context, sector)) fault_ = Status::flash_fault;
  sync();
}

void Ledger::program(const std::uint8_t* data, std::uint32_t bytes) noexcept {
  if (fault_ == Status::ok && !flash_->program(flash_->context, write_at_, data, bytes)) fault_ = Status::flash_fault;
  write_at_ += bytes;
}

void Ledger::sync() noexcept {
  if (fault_ == Status::ok && !flash_->sync(flash_->context)) fault_ = Status::flash_fault;
}

bool Ledger::blank(std::uint32_t from, std::uint32_t to) noexcept {
  std::uint8_t chunk[32];
  while (from != to) {
    const std::uint32_t part = to - from < sizeof chunk ? to - from : sizeof chunk;
    if (!read(from, chunk, part)) return false;
    for (std::uint32_t i = 0; i < part; ++i)
      if (chunk[i] != flash_->geometry.erased) return false;
    from += part;
  }
  return true;
}

/// Leaves the value as it is where there is no counter.
bool Ledger::read_counter(std::uint32_t& value) noexcept {
  const Counter* const counter = hooks_->counter;
  const bool ok = counter == nullptr || counter->read(counter->context, &value);
  if (!ok) fail(Status::counter_fault);
  return ok;
}

/// After the record: a cut between the two leaves the ledger one ahead, which open() mends.
void Ledger::advance_counter() noexcept {
  const Counter* const counter = hooks_->counter;
  if (fault_ == Status::ok && counter != nullptr && !counter->advance(counter->context, body_.acts))
    fault_ = Status::counter_fault;
}

}  // namespace sotto
