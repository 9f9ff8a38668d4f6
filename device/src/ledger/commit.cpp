// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Writes the whole image: after the newest one, or as two copies at the start of the next sector. The newest image
// stays in place until its successors are synced, so no power cut loses a charge. Then it is erased, because an image
// that is long out of date must not be found if a sector fails.
#include "fold.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_mark_flips = 0x474c5453;  // "STLG"
}  // namespace

void Ledger::program(std::uint32_t address, const void* data, std::uint32_t bytes) noexcept {
  if (fault_ == Status::ok)
    synced(flash_->program(flash_->context, address, static_cast<const std::uint8_t*>(data), bytes));
}

void Ledger::put(std::uint32_t address) noexcept {
  ImageHead& head = image();
  (void)protect(*hooks_, Moment::tag);
  head.checksum = fold_words(&head.magic, bytes_ - 4);
  program(address, image_, bytes_);
  newest_ = address;
  next_ = address + bytes_;
}

/// Writes a mark: the sequence number and its complement, both again with some bits flipped, and all that twice. If a
/// few bits decay, one of the two copies remains. An interrupted write or erase cannot produce a mark: it either
/// changes bits in one direction, which breaks the complements, or leaves bytes of all zeros or all ones, which the
/// flipped words exclude.
void Ledger::put_mark(std::uint32_t address) noexcept {
  std::uint32_t line[k_line_bytes / 4];
  std::uint32_t word = image().sequence;
  for (std::uint32_t i = 0; i != k_line_bytes / 4; i += 2) {
    line[i] = word;
    line[i + 1] = ~word;
    word ^= k_mark_flips;
  }
  program(address, line, k_line_bytes);
}

/// Returns the sequence number of the mark, or 0 if there is none.
std::uint32_t Ledger::mark(std::uint32_t address) noexcept {
  std::uint32_t line[k_line_bytes / 4];
  read(address, line, sizeof line);
  for (const std::uint32_t* half = line; half != line + k_line_bytes / 4; half += k_line_bytes / 8)
    if ((half[0] ^ half[2]) == k_mark_flips && half[0] == ~half[1] && half[2] == ~half[3]) return half[0];
  return 0;
}

void Ledger::erase_sector_before() noexcept { erase((sector_ == 0 ? flash_->geometry.sectors : sector_) - 1); }

/// Writes two copies of the image into the next sector and reads them back. The first mark states that both copies are
/// complete: from then on no older image counts, and the previous sector may be erased. The second mark states that it
/// was erased: without it open() erases it again, even if it reads as blank.
void Ledger::put_first() noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  if (++sector_ == geometry.sectors) sector_ = 0;
  const std::uint32_t begin = sector_ * geometry.sector_bytes, end = begin + geometry.sector_bytes;
  end_ = end - k_marks_bytes;
  if (used(begin, end) != 0) erase(sector_);  // the rest of an image that a power cut interrupted
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

/// Writes the image after a change. `acts`: how many acts a counter has to count.
void Ledger::commit(std::uint32_t acts, Place place) noexcept {
  ImageHead& head = image();
  // Checks that the newest image in flash is still the one that this object wrote or found, and that nothing follows
  // it. The checksum of that image stays in memory until put().
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
  settle(Moment::advance);
}

/// Nothing is asked of the counter after a fault.
void Ledger::settle(Moment moment) noexcept {
  if (fault_ == Status::ok) fault_ = protect(*hooks_, moment);
}

}  // namespace sotto
