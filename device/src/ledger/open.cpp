// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Beginning: the first ledger, and the one that is found after a reset. The cases are those of shared/spec/LEDGER.md.
#include "sotto/bytes.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/private_coins.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_sector_min_bytes = 256, k_sector_max_bytes = 1u << 20, k_sectors_max = 2048;

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
    for (int seed = 0; seed < 2; ++seed)
      if (const Status s = coins.begin_report(entropy); s != Status::ok) return s;
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
  settle(Settle::begin);
  put_first(0);
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
Status Ledger::find() noexcept {
  const FlashGeometry& geometry = flash_->geometry;
  ImageHead& head = image();
  std::uint32_t at = 0, sequence = 0;
  bool foreign = false;
  for (std::uint32_t sector = 0; sector != geometry.sectors; ++sector) {
    const std::uint32_t end = at + geometry.sector_bytes;
    while (at != end) {
      read(at, image_, k_line_bytes);
      std::uint32_t size = image_bytes(head);
      // An image that is longer than the memory cannot be checked; those before it say that there may be one.
      if (head.magic == k_ledger_magic && size <= end - at && size <= memory_bytes_ && load(at, size)) {
        // Of another geometry it counts only where there is none of this one: a torn image must not be read as a foreign one.
        if (!equal_bytes(&head.geometry, &geometry, sizeof geometry)) {
          foreign = true;
        } else if (head.sequence > sequence) {
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
  if (sequence == 0) {
    if (foreign) return Status::ledger_foreign;
    return blank(k_image_head_bytes, at) ? Status::no_ledger : Status::ledger_corrupt;
  }
  if (!load(next_ - bytes_, bytes_) || head.sequence != sequence) return Status::ledger_corrupt;
  if (head.version != k_ledger_version) return Status::ledger_foreign;
  const std::uint32_t memory_lines = memory_bytes_ / k_line_bytes;
  if (head.memory_lines > memory_lines) return Status::short_buffer;
  const bool grew = head.memory_lines != memory_lines;
  head.memory_lines = static_cast<std::uint16_t>(memory_lines);

  settle(Settle::advance);
  ++head.sequence;  // the number of what an earlier life may have begun is not used again
  const bool first = next_ - bytes_ == end_ - geometry.sector_bytes;
  // On to the next sector: a cut tore what was begun here; or images that promise shorter successors must not stay to be found.
  if (grew || !blank(next_, end_)) next_ = end_;
  clear(next_sector());
  if (first) leave_sector_before();
  return Status::ok;
}

}  // namespace sotto
