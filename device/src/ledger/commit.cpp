// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writing: the whole image, behind the one before or first in the next sector. The one before stays where it is until the new
// one is synced, so whatever a power cut leaves, nothing that was spent is forgotten.
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

/// Into an erased sector, and reads it back: the images before may go.
void Ledger::put_first(std::uint32_t sector) noexcept {
  sector_ = sector;
  const std::uint32_t begin = sector * flash_->geometry.sector_bytes;
  end_ = begin + flash_->geometry.sector_bytes;
  put(begin);
  const std::uint32_t sequence = image().sequence;
  if (!load(begin, bytes_) || image().sequence != sequence) fault_ = Status::flash_fault;
}

/// After a change of the image, by so many acts that a counter counts. With `alone` set, nothing older stays in flash.
void Ledger::commit(std::uint32_t acts) noexcept {
  ImageHead& head = image();
  ++head.sequence;
  head.acts += acts;
  pending_ = nullptr;
  if (head.alone == 0 && end_ - next_ >= bytes_) {
    put(next_);
  } else {
    const std::uint32_t target = sector_ + 1 == flash_->geometry.sectors ? 0 : sector_ + 1;
    erase(target);  // even where it reads as blank: its last erase may have been cut short
    put_first(target);
    finish_alone();
  }
  settle(false);
}

void Ledger::settle(bool created) noexcept {
  const Counter* const counter = hooks_->counter;
  if (counter != nullptr && fault_ == Status::ok) fault_ = counter->settle(*counter, image().acts, created);
}

/// A cut on the way is seen by open(), because the newest image says so until another follows it.
void Ledger::finish_alone() noexcept {
  if (image().alone == 0) return;
  std::uint32_t begin = 0;
  for (std::uint32_t sector = 0; sector != flash_->geometry.sectors; ++sector) {
    const std::uint32_t end = begin + flash_->geometry.sector_bytes;
    if (sector != sector_ && !blank(begin, end)) erase(sector);
    begin = end;
  }
  image().alone = 0;
}

}  // namespace sotto
