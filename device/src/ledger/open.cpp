// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Creates the first ledger, and finds the ledger after a reset. The cases are those of shared/spec/LEDGER.md.
#include "sotto/bytes.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/ledger/ledger.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_sector_min_bytes = 512, k_sector_max_bytes = 1u << 20, k_sectors_max = 2048;

bool usable(const Flash& flash) noexcept {
  const FlashGeometry& g = flash.geometry;
  const std::uint32_t unit = g.program_unit, others = g.sectors - 1u;
  return flash.read != nullptr && flash.program != nullptr && flash.erase != nullptr && flash.sync != nullptr &&
         unit - 1u < k_line_bytes && (unit & (unit - 1u)) == 0 && g.sector_bytes % k_line_bytes == 0 &&
         g.sector_bytes / k_sector_min_bytes != 0 && (g.sector_bytes - 1) / k_sector_max_bytes == 0 && others != 0 &&
         others / k_sectors_max == 0 && (g.erased == 0xff || g.erased == 0);
}

}  // namespace

/// Builds and writes the first image. The device's secret is drawn before anything is written.
Status Ledger::make(const Creation& creation) noexcept {
  ImageHead& head = image();
  wipe(image_, k_image_head_bytes);
  Status status;
  {
    PrivateCoins coins;
    status = coins.begin_report(creation.entropy, head.secret);
  }
  if (status != Status::ok) return status;
  head.magic = k_ledger_magic;
  head.sequence = 1;
  head.version = k_ledger_version;
  head.entry_bytes = static_cast<std::uint16_t>(entry_bytes(report_bytes_));
  head.memory_lines = static_cast<std::uint16_t>(memory_bytes_ / k_line_bytes);
  head.geometry = flash_->geometry;
  head.policy = creation.policy;
  bytes_ = k_image_head_bytes;
  settle(Moment::create);
  sector_ = ~std::uint32_t{0};  // put_first() moves on to sector 0
  put_first();
  return Status::ok;
}

/// Opens the ledger that is in flash. With a creation, makes one if there is none.
Status Ledger::start(const Flash& flash, const LedgerHooks& hooks, const Creation* creation) noexcept {
  if (!usable(flash)) return Status::flash_geometry;
  if (memory_bytes_ < k_image_head_bytes) return Status::short_buffer;
  if (creation != nullptr && report_bytes_ - 1u >= k_report_max_bytes) return Status::bad_report_size;
  known_ = image().checksum;  // whatever is in the memory is replaced
  Status status = enter(&hooks);
  if (status != Status::ok) return status;
  flash_ = &flash;
  hooks_ = &hooks;
  pending_ = nullptr;
  ++occupancy_.life;
  status = find();
  if (creation != nullptr) {
    if (status == Status::ok) status = Status::ledger_exists;
    if (status == Status::no_ledger) status = make(*creation);
  }
  if (fault_ == Status::ok) fault_ = status;  // after a refusal the ledger is closed
  return leave(status);
}

/// Finds the newest valid image in the flash. It contains the whole state, so older images do not matter. `damaged`:
/// something other than valid images precedes it in its sector.
Status Ledger::newest(std::uint32_t& damaged) noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  ImageHead& head = image();
  // A sector without its first mark was not written completely: its images count only if there are no others.
  constexpr std::uint32_t k_marked = k_sequence_end;
  std::uint32_t at = 0, highest = 0, marked = 0;
  Status otherwise = Status::no_ledger;
  for (std::uint32_t sector = 0; sector != geometry.sectors; ++sector) {
    const std::uint32_t end = at + geometry.sector_bytes - k_marks_bytes, number = mark(end);
    if (number > marked) marked = number;
    std::uint32_t gap = 0;
    while (at != end) {
      read(at, image_, k_line_bytes);
      std::uint32_t size = image_bytes(head);
      // An image that would not fit twice into a sector was not written by this library.
      const bool plausible =
          head.magic == k_ledger_magic && size <= end - at && 2 * size <= geometry.sector_bytes - k_marks_bytes;
      if (plausible && size > memory_bytes_)
        otherwise = Status::short_buffer;  // too large to be verified in this memory
      if (plausible && size <= memory_bytes_ && load(at, size)) {
        const std::uint32_t rank = head.sequence + (number != 0 ? k_marked : 0);
        // An image of another geometry counts only if there is none of this geometry: a half-written image must not be
        // taken for a foreign one.
        if (!equal_bytes(&head.geometry, &geometry, sizeof geometry)) {
          otherwise = Status::ledger_foreign;
        } else if (rank >= highest) {
          highest = rank;
          bytes_ = size;
          newest_ = at;
          sector_ = sector;
          end_ = end;
          damaged = gap;
        }
      } else {
        size = k_line_bytes;
        gap = 1;
      }
      at += size;
    }
    at = end + k_marks_bytes;
  }
  // After an interrupted create() the flash is blank after the first image, and nothing was ever charged.
  if (highest == 0) {
    if (otherwise == Status::no_ledger && used(k_image_head_bytes, at) != 0) otherwise = Status::ledger_corrupt;
    return otherwise;
  }
  if (!load(newest_, bytes_)) return Status::ledger_corrupt;
  if (head.version != k_ledger_version) return Status::ledger_foreign;
  if (head.sequence >= k_sequence_end - 2) return Status::ledger_worn;
  // The mark states that two copies with a higher number were written, and neither is valid any more.
  if (head.sequence < marked) return Status::ledger_corrupt;
  return Status::ok;
}

Status Ledger::find() noexcept {
  synced(true);            // writes before the restart may not have been synced
  std::uint32_t move = 0;  // nonzero: write the image into the next sector
  if (const Status s = newest(move); s != Status::ok) return s;
  ImageHead& head = image();
  const std::uint32_t memory_lines = memory_bytes_ / k_line_bytes;
  if (head.memory_lines > memory_lines) return Status::short_buffer;
  // A power cut damages one image, directly behind the newest. More than that means that several images have decayed.
  // One word that is not blank may be a flipped bit.
  next_ = newest_ + bytes_;
  const std::uint32_t behind = used(next_, end_), beyond = used(next_ + bytes_, end_);
  if (beyond > 1 && beyond != behind) return Status::ledger_corrupt;
  move |= behind;  // a forged older image may be there
  // With a counter, open() counts (counter.cpp), and first writes the image with that number.
  settle(Moment::open);
  if (fault_ == Status::busy) {
    fault_ = Status::ok;
    move = 1;
  }
  // Images that state a smaller memory must not remain in flash.
  move |= head.memory_lines ^ memory_lines;
  head.memory_lines = static_cast<std::uint16_t>(memory_lines);
  ++head.sequence;  // a write before the restart may have used the next number
  if (mark(end_ + k_line_bytes) == 0) {
    erase_sector_before();
    move = 1;
  }
  if (move != 0) {
    ++head.sequence;
    put_first();
  }
  settle(Moment::advance);
  return fault_;
}

}  // namespace sotto
