// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

#include "flash_simulator.hpp"
#include "ledger_kit.hpp"
#include "sotto/bytes.hpp"
#include "unity.h"

// What every test of the ledger begins with: blank flash, no hooks, two studies' names and a report.
namespace sotto {

inline Flash flash;
inline LedgerHooks hooks;
inline Digest digest, other;

template <std::uint32_t bytes>
void set_stage(FlashSimulator<bytes>& simulator, const FlashGeometry& geometry, std::span<std::uint8_t> report) {
  simulator = FlashSimulator<bytes>(geometry);
  flash = simulator.flash();
  hooks = {};
  digest.fill(0x11);
  other.fill(0x22);
  std::uint8_t next = 0xa0;
  for (std::uint8_t& byte : report) byte = next++;
}

inline void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

/// The checksum as the specification writes it.
inline std::uint32_t fold(const std::uint8_t* bytes, std::uint32_t size) {
  std::uint32_t h = 0x9e3779b1;
  for (std::uint32_t at = size; at != 0;) {
    at -= 4;
    h ^= load_u32(bytes + at);
    h ^= h >> 15;
    h *= 0x9e3779b1;
    h ^= h >> 13;
  }
  return h;
}

/// A new ledger with consent and the first study.
inline void open_with_study(Ledger& ledger, StudyEntry*& entry, const Policy& policy) {
  expect(Status::ok, ledger.create(flash, hooks, policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(digest, k_anybody));
  expect(Status::ok, find_study(ledger, digest, entry));
}

}  // namespace sotto
