// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "fold.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

bool Ledger::read(std::uint32_t address, void* out, std::uint32_t bytes) noexcept {
  const bool done = flash_->read(flash_->context, address, static_cast<std::uint8_t*>(out), bytes);
  if (!done) fault_ = Status::flash_fault;
  return done;
}

/// Into the ledger's memory. Is it a whole image?
bool Ledger::load(std::uint32_t address, std::uint32_t bytes) noexcept {
  return read(address, image_, bytes) && fold_words(k_fold_start, image_, bytes) == 0;
}

/// Whole lines.
bool Ledger::blank(std::uint32_t from, std::uint32_t to) noexcept {
  const auto erased = static_cast<std::uint32_t>(static_cast<std::int8_t>(flash_->geometry.erased));
  while (from != to) {
    std::uint32_t line[k_line_bytes / 4];
    if (!read(from, line, k_line_bytes)) return false;
    for (const std::uint32_t word : line)
      if (word != erased) return false;
    from += k_line_bytes;
  }
  return true;
}

/// And a sync: nothing is written into a sector whose erase may be undone.
void Ledger::erase(std::uint32_t sector) noexcept {
  if (fault_ == Status::ok) synced(flash_->erase(flash_->context, sector));
}

void Ledger::synced(bool done) noexcept {
  if (!done || !flash_->sync(flash_->context)) fault_ = Status::flash_fault;
}

/// Leaves the value as it is where there is no counter.
void Ledger::read_counter(std::uint32_t& value) noexcept {
  const Counter* const counter = hooks_->counter;
  if (counter != nullptr && !counter->read(counter->context, &value)) fault_ = Status::counter_fault;
}

/// After the image: a cut between the two leaves the ledger one ahead, which open() mends.
void Ledger::advance_counter() noexcept {
  const Counter* const counter = hooks_->counter;
  if (fault_ == Status::ok && counter != nullptr && !counter->advance(counter->context, image().acts))
    fault_ = Status::counter_fault;
}

}  // namespace sotto
