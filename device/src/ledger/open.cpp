// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Beginning: the first ledger, and the one that is found after a reset. The cases are those of shared/spec/LEDGER.md.
#include "sotto/ledger/ledger.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_sector_min_bytes = 256, k_sector_max_bytes = 1u << 20, k_sectors_max = 2048;

bool usable(const Flash& flash) noexcept {
  const FlashGeometry& g = flash.geometry;
  const std::uint32_t unit = g.program_unit;
  return flash.read != nullptr && flash.program != nullptr && flash.erase != nullptr && flash.sync != nullptr &&
         unit - 1u < k_line_bytes && (unit & (unit - 1u)) == 0 && g.sector_bytes % k_line_bytes == 0 &&
         g.sector_bytes - k_sector_min_bytes <= k_sector_max_bytes - k_sector_min_bytes &&
         g.sectors - 2u <= k_sectors_max - 2u && (g.erased == 0xff || g.erased == 0);
}

}  // namespace

Status Ledger::attach(const Flash& flash, const LedgerHooks& hooks) noexcept {
  if (busy_) return Status::busy;
  if (!usable(flash)) return Status::flash_geometry;
  if (memory_bytes_ < k_image_head_bytes) return Status::short_buffer;
  const Status status = enter(&hooks);
  if (status != Status::ok) return status;
  flash_ = &flash;
  hooks_ = &hooks;
  pending_ = nullptr;
  return status;
}

/// What refuses to open leaves the ledger closed.
Status Ledger::found(Status status) noexcept {
  if (fault_ == Status::ok) fault_ = status;
  return leave(status);
}

Status Ledger::create(const Flash& flash, const LedgerHooks& hooks, const Policy& policy) noexcept {
  if (report_bytes_ - 1u >= k_report_max_bytes) return Status::bad_report_size;
  Status status = attach(flash, hooks);
  if (status != Status::ok) return status;
  status = find();
  if (status == Status::ok) status = Status::ledger_exists;
  if (status == Status::no_ledger) {
    ImageHead& head = image();
    head.magic = k_ledger_magic;
    head.sequence = 1;
    head.acts = 0;
    head.version = k_ledger_version;
    head.consent = 0;
    head.alone = 0;
    head.studies = 0;
    head.reserved = 0;
    head.entry_lines = static_cast<std::uint8_t>(entry_lines(report_bytes_));
    head.memory_lines = static_cast<std::uint16_t>(memory_bytes_ / k_line_bytes);
    head.geometry = flash.geometry;
    head.policy = policy;
    bytes_ = k_image_head_bytes;
    read_counter(head.acts);
    if (!blank(0, k_image_head_bytes)) erase(0);
    put_first(0);
    status = Status::ok;
  }
  return found(status);
}

Status Ledger::open(const Flash& flash, const LedgerHooks& hooks) noexcept {
  const Status status = attach(flash, hooks);
  return status == Status::ok ? found(find()) : status;
}

/// The newest image of the flash, wherever it stands: it says everything, so what became of older ones does not matter.
Status Ledger::find() noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  ImageHead& head = image();
  std::uint32_t at = 0, sequence = 0;
  for (std::uint32_t sector = 0; sector != geometry.sectors; ++sector) {
    const std::uint32_t end = at + geometry.sector_bytes;
    while (at != end) {
      read(at, image_, k_line_bytes);
      std::uint32_t size = image_bytes(head);
      // An image that is longer than the memory cannot be checked; those before it say that there may be one.
      if (head.magic == k_ledger_magic && head.entry_lines >= k_entry_min_lines && size <= end - at &&
          size <= memory_bytes_ && load(at, size)) {
        if (head.sequence > sequence) {
          sequence = head.sequence;
          bytes_ = size;
          next_ = at + size;
          sector_ = sector;
          end_ = end;
        }
      } else {
        size = k_line_bytes;
      }
      at += size;
    }
  }
  // Where a create() was cut short there is nothing but what it can have written, and nothing was ever charged.
  if (sequence == 0) return blank(k_image_head_bytes, at) ? Status::no_ledger : Status::ledger_corrupt;
  if (!load(next_ - bytes_, bytes_)) return Status::ledger_corrupt;
  if (head.version != k_ledger_version || __builtin_memcmp(&head.geometry, &geometry, sizeof geometry) != 0)
    return Status::ledger_foreign;
  const std::uint32_t memory_lines = memory_bytes_ / k_line_bytes;
  if (head.memory_lines > memory_lines) return Status::short_buffer;
  head.memory_lines = static_cast<std::uint16_t>(memory_lines);

  std::uint32_t counted = head.acts;
  read_counter(counted);
  // A cut between the image and the counter leaves the ledger one ahead.
  if (head.acts - counted > 1u) return Status::rolled_back;
  if (!blank(next_, end_)) next_ = end_;  // a cut tore what was begun there: on to the next sector
  ++head.sequence;                        // the number of what an earlier life may have begun is not used again
  finish_alone();
  if (head.acts != counted) advance_counter();
  return Status::ok;
}

}  // namespace sotto
