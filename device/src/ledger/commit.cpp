// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writing: the whole image, behind the one before or first in the next sector. The one before stays where it is until the new
// one is synced, so whatever a power cut leaves, nothing that was spent is forgotten. Then it goes: an image that is long out of
// date must not be there to be found when a sector fails.
#include "fold.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

void Ledger::put(std::uint32_t address) noexcept {
  ImageHead& head = image();
  head.checksum = fold_words(&head.magic, bytes_ - 4);
  if (fault_ == Status::ok)
    synced(flash_->program(flash_->context, address, reinterpret_cast<const std::uint8_t*>(image_), bytes_));
  next_ = address + bytes_;
}

std::uint32_t Ledger::next_sector() const noexcept {
  const std::uint32_t next = sector_ + 1;
  return next == flash_->geometry.sectors ? 0 : next;
}

/// What a cut left of an image that was begun there.
void Ledger::clear(std::uint32_t sector) noexcept {
  const std::uint32_t bytes = flash_->geometry.sector_bytes, begin = sector * bytes;
  if (!blank(begin, begin + bytes)) erase(sector);
}

/// Into another sector, and reads it back; then the sector before may go.
void Ledger::put_first(std::uint32_t sector) noexcept {
  const std::uint32_t bytes = flash_->geometry.sector_bytes, begin = sector * bytes;
  sector_ = sector;
  end_ = begin + bytes;
  clear(sector);
  put(begin);
  const std::uint32_t sequence = image().sequence;
  if (!load(begin, bytes_) || image().sequence != sequence) fault_ = Status::flash_fault;
  leave_sector_before();
}

/// The second image says that the erase was not cut short: without it open() erases again, even what reads as blank.
void Ledger::leave_sector_before() noexcept {
  erase((sector_ == 0 ? flash_->geometry.sectors : sector_) - 1);
  if (end_ - next_ < bytes_) return;
  ++image().sequence;
  put(next_);
}

/// After a change of the image, by so many acts that a counter counts.
void Ledger::commit(std::uint32_t acts) noexcept {
  ImageHead& head = image();
  ++head.sequence;
  head.acts += acts;
  pending_ = nullptr;
  if (end_ - next_ >= bytes_)
    put(next_);
  else
    put_first(next_sector());
  settle(Settle::advance);
}

void Ledger::settle(Settle what) noexcept {
  const Counter* const counter = hooks_->counter;
  if (counter != nullptr && fault_ == Status::ok) fault_ = counter->settle(*counter, image().acts, what);
}

}  // namespace sotto
