// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as the flash of a ledger: open() refuses, or the ledger keeps its promises from then on. The first byte chooses the
// geometry; its top bit asks for checksums to be put right, so that what is behind them is reached too.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../support/flash_simulator.hpp"
#include "ledger_kit.hpp"

namespace {

using namespace sotto;

constexpr std::uint32_t k_bytes = 1536;
using Simulator = FlashSimulator<k_bytes>;

void must(bool promise) {
  if (!promise) __builtin_trap();
}

/// Checksums of the records that heads promise, in every sector.
void put_right(Simulator& flash, const FlashGeometry& geometry) {
  for (std::uint32_t s = 0; s < geometry.sectors; ++s) {
    const std::uint32_t begin = s * geometry.sector_bytes, end = begin + geometry.sector_bytes;
    std::uint32_t generation = 0;
    flash.put(begin + 11, flash.byte(begin + 11) & 0x7fu);  // no flash lives for 2^31 generations
    for (int i = 3; i >= 0; --i) generation = generation << 8 | flash.byte(begin + 8 + static_cast<std::uint32_t>(i));
    for (std::uint32_t at = begin; at + 8 <= end;) {
      const std::uint32_t body = flash.byte(at + 2) | std::uint32_t{flash.byte(at + 3)} << 8;
      if (flash.byte(at) == geometry.erased || at + body + 8 > end) break;
      std::uint32_t crc = ~generation;
      for (std::uint32_t i = 0; i < body + 4; ++i) {
        crc ^= flash.byte(at + i);
        for (int b = 0; b < 8; ++b) crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
      }
      for (std::uint32_t i = 0; i < 4; ++i) flash.put(at + 4 + body + i, static_cast<std::uint8_t>(~crc >> (8 * i)));
      at += (body + 8 + geometry.program_unit - 1u) & ~(geometry.program_unit - 1u);
    }
  }
}

void use(Ledger& ledger, const Flash& flash, const LedgerHooks& hooks) {
  Charge before = ledger.total_spent();
  for (std::uint8_t index = 0; index < 3; ++index) {
    StudyEntry* entry = nullptr;
    entry.index = index;
    const Charge charge{1'000'000, 1};
    const auto round = static_cast<std::uint16_t>(entry->round + 1u);
    std::uint8_t report[64] = {1, 2, 3};
    std::size_t bytes = 0;
    if (charge(ledger, entry, round, charge, sizeof report) == Status::ok) {
      must(ledger.total_spent().epsilon == before.epsilon + charge.epsilon);
      must(ledger.total_spent().epsilon <= ledger.policy().total.epsilon);
      must(entry->spent.epsilon <= ledger.policy().per_study.epsilon);
      must(store(ledger, entry, report) == Status::ok);
      std::uint8_t again[64] = {};
      must(stored_report(ledger, entry, round, again, bytes) == Status::ok && bytes == sizeof report);
      must(std::memcmp(report, again, sizeof report) == 0);
    }
    static_cast<void>(acknowledge(ledger, entry, round));
    before = ledger.total_spent();
  }
  if (!ledger.is_open()) return;
  const Status status = ledger.set_consent(!ledger.consent());
  must(status == Status::ok || status == Status::flash_fault);  // a ledger that cannot be moved is closed
  RoomyLedger<> again;
  if (status == Status::ok) {
    must(again.open(flash, hooks) == Status::ok);
    must(again.total_spent() == before);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint8_t choice = data[0];
  const FlashGeometry geometry{512, static_cast<std::uint16_t>(2 + (choice >> 3 & 1)),
                               static_cast<std::uint8_t>(1u << (choice & 7u) % 6),
                               static_cast<std::uint8_t>((choice & 16) != 0 ? 0x00 : 0xff)};
  Simulator simulator(geometry);
  for (std::uint32_t i = 0; i < simulator.size() && i + 1 < size; ++i) simulator.put(i, data[i + 1]);
  if ((choice & 128) != 0) put_right(simulator, geometry);
  const Flash flash = simulator.flash();
  const LedgerHooks hooks;
  RoomyLedger<> ledger;
  const Status status = ledger.open(flash, hooks);
  must(ledger.is_open() == (status == Status::ok));
  must(status == Status::ok || status == Status::no_ledger || status == Status::ledger_corrupt ||
       status == Status::ledger_foreign || status == Status::flash_fault);
  must(simulator.reads() < 64 * simulator.size());
  if (status == Status::ok) use(ledger, flash, hooks);
  must(simulator.violations() == 0);
  return 0;
}
