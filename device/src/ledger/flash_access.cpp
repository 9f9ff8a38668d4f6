// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Calls of the flash hooks, and reading an image into memory.
#include "fold.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

bool Ledger::read(std::uint32_t address, void* out, std::uint32_t bytes) noexcept {
  const bool done = flash_->read(flash_->context, address, static_cast<std::uint8_t*>(out), bytes);
  if (!done) fault_ = Status::flash_fault;
  return done;
}

/// Reads `bytes` bytes into the ledger's memory and returns whether they are a valid image of that length. Everything
/// is checked on what was read just now: an earlier read of the same flash may have returned other bytes.
bool Ledger::load(std::uint32_t address, std::uint32_t bytes) noexcept {
  ImageHead& head = image();
  if (!read(address, image_, bytes) || fold_words(image_, bytes) != 0 || head.entry_bytes <= k_entry_bytes ||
      head.entry_bytes % k_line_bytes != 0 || image_bytes(head) != bytes)
    return false;
  return protect(*hooks_, Moment::check) == Status::ok;
}

/// The number of words that are not erased.
std::uint32_t Ledger::used(std::uint32_t from, std::uint32_t to) noexcept {
  const auto erased = static_cast<std::uint32_t>(static_cast<std::int8_t>(flash_->geometry.erased));
  std::uint32_t count = 0;
  for (std::uint32_t word; from < to; from += sizeof word)
    if (!read(from, &word, sizeof word) || word != erased) ++count;
  return count;
}

/// Erases and syncs: nothing is written into a sector whose erase might still be undone.
void Ledger::erase(std::uint32_t sector) noexcept {
  if (fault_ == Status::ok) synced(flash_->erase(flash_->context, sector));
}

void Ledger::synced(bool done) noexcept {
  if (!done || !flash_->sync(flash_->context)) fault_ = Status::flash_fault;
}

}  // namespace sotto
