// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as the flash of a ledger: open() refuses, or the ledger keeps its promises from then on. The first byte chooses the
// geometry; its top bit asks for checksums to be put right, so that what is behind them is reached too.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../support/flash_simulator.hpp"
#include "../support/ledger_kit.hpp"

namespace {

using namespace sotto;

constexpr std::uint32_t k_bytes = 3 * 1120;
using Simulator = FlashSimulator<k_bytes>;
using Space = LedgerSpace<3, 34>;

void must(bool promise) {
  if (!promise) __builtin_trap();
}

/// Checksums of the images that lines promise, wherever they stand.
void put_right(Simulator& flash, const FlashGeometry& geometry) {
  for (std::uint32_t at = 0; at < flash.size();) {
    ImageLine line;
    for (std::uint32_t i = 0; i < k_line_bytes; ++i) reinterpret_cast<std::uint8_t*>(&line)[i] = flash.byte(at + i);
    const std::uint32_t bytes = image_bytes(line),
                        end = at - at % geometry.sector_bytes + geometry.sector_bytes - k_marks_bytes;
    if (line.magic != k_ledger_magic || line.entry_bytes % k_line_bytes != 0 || at >= end || bytes > end - at) {
      at += k_line_bytes;
      continue;
    }
    flash.put(at + 11, flash.byte(at + 11) & 0x1fu);  // no flash lives for 2^30 images
    std::uint32_t fold = 0x9e3779b1;
    for (std::uint32_t word = at + bytes - 4; word != at; word -= 4) {
      for (std::uint32_t i = 0; i < 4; ++i) fold ^= std::uint32_t{flash.byte(word + i)} << (8 * i);
      fold ^= fold >> 15;
      fold *= 0x9e3779b1;
      fold ^= fold >> 13;
    }
    for (std::uint32_t i = 0; i < 4; ++i) flash.put(at + i, static_cast<std::uint8_t>(fold >> (8 * i)));
    at += bytes;
  }
}

void use(Ledger& ledger, Space& space, const Flash& flash, const LedgerHooks& hooks) {
  Charge before = ledger.total_spent();
  const auto& head = *reinterpret_cast<const ImageHead*>(space.words);
  const std::uint32_t entry_bytes = head.entry_bytes, removed = head.removed;
  for (std::uint32_t index = 0; index < ledger.studies(); ++index) {
    const auto* const listed =
        reinterpret_cast<const StudyEntry*>(reinterpret_cast<const std::uint8_t*>(space.words) + k_image_head_bytes +
                                            removed * k_line_bytes + index * entry_bytes);
    StudyEntry* entry = nullptr;  // of two with one name, which nobody but a stranger writes, the first
    must(find_study(ledger, listed->digest, entry) == Status::ok && entry <= listed);
    const Charge price{1'000'000, 1};
    const auto round = static_cast<std::uint16_t>(entry->round + 1u);
    std::uint8_t report[64] = {1, 2, 3};
    const std::size_t size = ledger.report_room() < sizeof report ? ledger.report_room() : sizeof report;
    std::uint8_t again[64] = {};
    std::size_t bytes = 0;
    static_cast<void>(stored_report(ledger, entry, entry->round, again, bytes));
    must(bytes <= ledger.report_room());
    if (charge(ledger, entry, round, price, size) == Status::ok) {
      must(ledger.total_spent().epsilon == before.epsilon + price.epsilon);
      must(ledger.total_spent().epsilon <= ledger.policy().total.epsilon);
      must(entry->spent.epsilon <= ledger.policy().per_study.epsilon);
      must(store(ledger, entry, std::span(report).first(size)) == Status::ok);
      must(stored_report(ledger, entry, round, again, bytes) == Status::ok && bytes == size);
      must(std::memcmp(report, again, size) == 0);
    }
    static_cast<void>(acknowledge(ledger, entry, round));
    before = ledger.total_spent();
  }
  must(ledger.is_open());
  must(ledger.set_consent(!ledger.consent()) == Status::ok);
  must(ledger.set_policy(ledger.policy()) == Status::ok);
  // In and out: its name stays, and what others spent.
  Digest name{};
  name.fill(0xe7);
  const std::uint32_t studies = ledger.studies();
  const Status in = ledger.enrol(name, k_anybody);
  must(in == Status::ok || in == Status::ledger_full || in == Status::study_exists || in == Status::study_removed);
  const Status out = ledger.remove(name);
  must(out == Status::ok || out == Status::ledger_full || out == Status::unknown_study || out == Status::study_removed);
  if (in == Status::ok && out == Status::ok) {
    must(ledger.studies() == studies && ledger.enrol(name, k_anybody) == Status::study_removed);
    must(ledger.remove(name) == Status::study_removed);
  }
  PrivateCoins coins;
  must(ledger.seed(coins, birth_entropy()) == Status::ok);
  ledger.close();
  must(ledger.open(flash, hooks) == Status::ok);
  must(ledger.total_spent() == before);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint8_t choice = data[0];
  const FlashGeometry geometry{1120, static_cast<std::uint16_t>(2 + (choice >> 3 & 1)),
                               static_cast<std::uint8_t>(1u << (choice & 7u) % 6),
                               static_cast<std::uint8_t>((choice & 16) != 0 ? 0x00 : 0xff)};
  Simulator simulator(geometry);
  for (std::uint32_t i = 0; i < simulator.size() && i + 1 < size; ++i) simulator.put(i, data[i + 1]);
  if ((choice & 128) != 0) put_right(simulator, geometry);
  const Flash flash = simulator.flash();
  const LedgerHooks hooks;
  Space space;
  Ledger ledger{space};
  const Status status = ledger.open(flash, hooks);
  must(ledger.is_open() == (status == Status::ok));
  must(status == Status::ok || status == Status::no_ledger || status == Status::ledger_corrupt ||
       status == Status::ledger_foreign || status == Status::short_buffer || status == Status::ledger_worn);
  must(simulator.reads() < 64 * simulator.size());
  if (status == Status::ok) use(ledger, space, flash, hooks);
  must(simulator.violations() == 0);
  return 0;
}
