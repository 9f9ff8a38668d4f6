// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Beginning: the first ledger, and the one that is found after a reset. The cases are those of shared/spec/LEDGER.md.
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

/// The device's secret is drawn before anything is written.
Status Ledger::make(const Policy& policy, const EntropySource& entropy) noexcept {
  ImageHead& head = image();
  wipe(image_, k_image_head_bytes);
  {
    PrivateCoins coins;
    if (const Status s = coins.begin_first_report(entropy); s != Status::ok) return s;
    for (std::uint32_t& word : head.secret) word = coins.word();
  }
  head.magic = k_ledger_magic;
  head.sequence = 1;
  head.version = k_ledger_version;
  head.entry_bytes = static_cast<std::uint16_t>(entry_bytes(report_bytes_));
  head.memory_lines = static_cast<std::uint16_t>(memory_bytes_ / k_line_bytes);
  head.geometry = flash_->geometry;
  head.policy = policy;
  bytes_ = k_image_head_bytes;
  fault_ = settle(Settle::create);
  sector_ = ~std::uint32_t{0};  // before the first
  put_first();
  return Status::ok;
}

/// Opens what is there or, with a policy, makes what is not.
Status Ledger::start(const Flash& flash, const LedgerHooks& hooks, const Policy* policy,
                     const EntropySource* entropy) noexcept {
  if (!usable(flash)) return Status::flash_geometry;
  if (memory_bytes_ < k_image_head_bytes) return Status::short_buffer;
  Status status = enter(&hooks);
  if (status != Status::ok) return status;
  flash_ = &flash;
  hooks_ = &hooks;
  pending_ = nullptr;
  ++occupancy_.life;
  status = find();
  if (policy != nullptr) {
    if (status == Status::ok) status = Status::ledger_exists;
    if (status == Status::no_ledger) status = make(*policy, *entropy);
  }
  if (fault_ == Status::ok) fault_ = status;  // what refuses leaves the ledger closed
  return leave(status);
}

/// The newest image of the flash, wherever it stands: it says everything, so what became of older ones does not matter.
/// `damaged`: something else than whole images stands before it in its sector.
Status Ledger::newest(std::uint32_t& damaged) noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  ImageHead& head = image();
  // In a sector without its first mark the act was cut: images there count only where there are no others.
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
      // One that would not fit twice is not ours.
      const bool promised =
          head.magic == k_ledger_magic && size <= end - at && 2 * size <= geometry.sector_bytes - k_marks_bytes;
      if (promised && size > memory_bytes_) otherwise = Status::short_buffer;  // it cannot be checked
      if (promised && size <= memory_bytes_ && load(at, size)) {
        const std::uint32_t rank = head.sequence + (number != 0 ? k_marked : 0);
        // Of another geometry it counts only where there is none of this one: a torn image must not be read as a foreign one.
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
  // Where a create() was cut short there is nothing but what it can have written, and nothing was ever charged.
  if (highest == 0) {
    if (otherwise == Status::no_ledger && used(k_image_head_bytes, at) != 0) otherwise = Status::ledger_corrupt;
    return otherwise;
  }
  if (!load(newest_, bytes_)) return Status::ledger_corrupt;
  if (head.version != k_ledger_version) return Status::ledger_foreign;
  if (head.sequence >= k_sequence_end - 2) return Status::ledger_worn;
  // Two copies stood where a newer mark stands.
  if (head.sequence < marked) return Status::ledger_corrupt;
  return Status::ok;
}

Status Ledger::find() noexcept {
  synced(true);            // what an earlier life did not sync is not trusted before it is
  std::uint32_t move = 0;  // reasons to: none if 0
  if (const Status s = newest(move); s != Status::ok) return s;
  ImageHead& head = image();
  const std::uint32_t memory_lines = memory_bytes_ / k_line_bytes;
  if (head.memory_lines > memory_lines) return Status::short_buffer;
  // A cut tears one image, directly behind the newest. Where there is more, several have rotted; one word may be a flipped bit.
  next_ = newest_ + bytes_;
  const std::uint32_t behind = used(next_, end_), beyond = used(next_ + bytes_, end_);
  if (beyond > 1 && beyond != behind) return Status::ledger_corrupt;
  move |= behind;  // an older image may stand there, if somebody wrote it
  // With a counter open() counts (counter.cpp), and writes the image with that number first.
  const Status counted = settle(Settle::open);
  if (counted == Status::busy)
    move = 1;
  else
    fault_ = counted;  // and nothing is written
  // Images that promise shorter successors must not stay to be found.
  move |= head.memory_lines ^ memory_lines;
  head.memory_lines = static_cast<std::uint16_t>(memory_lines);
  ++head.sequence;  // the number of what an earlier life may have begun is not used again
  if (mark(end_ + k_line_bytes) == 0) {
    erase_sector_before();
    move = 1;
  }
  if (move != 0) {
    ++head.sequence;
    put_first();
  }
  return settle(Settle::advance);
}

}  // namespace sotto
