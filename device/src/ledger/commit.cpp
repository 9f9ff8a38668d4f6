// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writing: the whole image, behind the one before or, twice, first in the next sector. The one before stays where it is until the
// new ones are synced, so whatever a power cut leaves, nothing that was spent is forgotten. Then it goes: an image that is long
// out of date must not be there to be found when a sector fails.
#include "fold.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_mark_turn = 0x474c5453;  // "STLG"
}  // namespace

void Ledger::program(std::uint32_t address, const void* data, std::uint32_t bytes) noexcept {
  if (fault_ == Status::ok)
    synced(flash_->program(flash_->context, address, static_cast<const std::uint8_t*>(data), bytes));
}

void Ledger::put(std::uint32_t address) noexcept {
  ImageHead& head = image();
  const ImageKey* const key = hooks_->key;
  if (key != nullptr) key->tag(*key, head, false, fault_);
  head.checksum = fold_words(&head.magic, bytes_ - 4);
  program(address, image_, bytes_);
  newest_ = address;
  next_ = address + bytes_;
}

/// Twice the sequence number, its complement, and both once more with some bits turned. Rot of a few bits leaves one of the two, and
/// no torn write or erase makes one: it moves bits one way, which spoils the complements, or leaves bytes of zeros and ones,
/// which no turned byte equals.
void Ledger::put_mark(std::uint32_t address) noexcept {
  std::uint32_t line[k_line_bytes / 4];
  std::uint32_t word = image().sequence;
  for (std::uint32_t i = 0; i != k_line_bytes / 4; i += 2) {
    line[i] = word;
    line[i + 1] = ~word;
    word ^= k_mark_turn;
  }
  program(address, line, k_line_bytes);
}

/// The mark's number, 0 without one.
std::uint32_t Ledger::mark(std::uint32_t address) noexcept {
  std::uint32_t line[k_line_bytes / 4];
  read(address, line, sizeof line);
  for (const std::uint32_t* half = line; half != line + k_line_bytes / 4; half += k_line_bytes / 8)
    if ((half[0] ^ half[2]) == k_mark_turn && half[0] == ~half[1] && half[2] == ~half[3]) return half[0];
  return 0;
}

void Ledger::erase_sector_before() noexcept { erase((sector_ == 0 ? flash_->geometry.sectors : sector_) - 1); }

/// Into the next sector, twice, and reads it back. The first mark says that both copies are there: from then on nothing older
/// counts, and the sector before may go. The second says that it went: without it open() erases again, even what reads as blank.
void Ledger::put_first() noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  if (++sector_ == geometry.sectors) sector_ = 0;
  const std::uint32_t begin = sector_ * geometry.sector_bytes, end = begin + geometry.sector_bytes;
  end_ = end - k_marks_bytes;
  if (used(begin, end) != 0) erase(sector_);  // what a cut left of an image that was begun there
  put(begin);
  put(next_);
  const std::uint32_t sequence = image().sequence;
  if (fault_ != Status::ok) return;
  if (!load(newest_, bytes_) || image().sequence != sequence) fault_ = Status::flash_fault;
  put_mark(end_);
  if (mark(end_) != sequence) fault_ = Status::flash_fault;
  erase_sector_before();
  put_mark(end_ + k_line_bytes);
}

/// After a change of the image, by so many acts that a counter counts.
void Ledger::commit(std::uint32_t acts, Place place) noexcept {
  ImageHead& head = image();
  // Is the newest image still the one that this object wrote or found, and nothing behind it, wherever the next one goes? Its
  // checksum is in memory until put().
  std::uint32_t checksum = 0;
  read(newest_, &checksum, sizeof checksum);
  if ((checksum != head.checksum || (next_ != end_ && used(next_ + 4, next_ + 8) != 0)) && fault_ == Status::ok)
    fault_ = Status::ledger_in_use;
  if (++head.sequence >= k_sequence_end) fault_ = Status::ledger_worn;
  if (fault_ != Status::ok) return;
  head.acts += acts;
  pending_ = nullptr;
  if (place == Place::behind && end_ - next_ >= bytes_)
    put(next_);
  else
    put_first();
  fault_ = settle(Settle::advance);
}

Status Ledger::settle(Settle what) noexcept {
  const Counter* const counter = hooks_->counter;
  return counter == nullptr || fault_ != Status::ok ? fault_ : counter->settle(*counter, image().acts, what);
}

}  // namespace sotto
