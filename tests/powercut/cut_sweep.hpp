// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "life.hpp"

namespace sotto {

#ifdef __SANITIZE_ADDRESS__
constexpr bool k_is_sanitized = true;
#else
constexpr bool k_is_sanitized = false;
#endif

/// Every program unit with every erased value and number of sectors. Under the sanitizers, where a life takes ten times as long, only
/// one of these four a unit, in turn: the plain build has shown the promises, and what they look for does not depend on it.
inline std::vector<FlashGeometry> all_geometries() {
  std::vector<FlashGeometry> geometries;
  unsigned turn = 0;
  for (const unsigned unit : {1u, 4u, 8u, 16u, 32u}) {
    // Small enough that the ledger moves on often: two or three of its largest images fill a sector, which takes two at least.
    const std::uint32_t sector_bytes = unit == 1 ? 1280 : unit < 16 ? 1408 : unit < 32 ? 1600 : 1920;
    for (const unsigned erased : {0xffu, 0x00u})
      for (const unsigned sectors : {2u, 3u})
        if (const unsigned n = turn++; !k_is_sanitized || n % 4 == n / 4 % 4)
          geometries.push_back({sector_bytes, static_cast<std::uint16_t>(sectors), static_cast<std::uint8_t>(unit),
                                static_cast<std::uint8_t>(erased)});
  }
  return geometries;
}

struct SweepTotals {
  std::uint64_t cuts = 0, lives = 0, answered = 0, lost = 0;
};

/// Cuts the life at every program, erase and sync: once with `tears` ways to tear each, then `doubles` times with a second cut
/// among the first operations after the reboot, which are those of the recovery.
inline SweepTotals sweep(const FlashGeometry& geometry, std::uint32_t tears, std::uint32_t doubles) {
  Life whole(geometry, 1);
  whole.run({});
  EXPECT_EQ(whole.complaint, "");
  EXPECT_EQ(whole.lost, 3u) << "an acknowledged round, a withdrawn one and one that is too early";
  const std::uint32_t operations = whole.simulator().operations();
  SweepTotals totals;
  const auto live = [&](std::uint64_t seed, const std::vector<std::pair<std::uint32_t, Tear>>& cuts) {
    Life life(geometry, seed);
    life.run(cuts);
    EXPECT_EQ(life.complaint, "") << "unit " << int(geometry.program_unit) << " erased " << int(geometry.erased)
                                  << " sectors " << geometry.sectors << " seed " << seed << " cuts at " << cuts[0].first
                                  << "/" << int(cuts[0].second) << " and "
                                  << (cuts.size() > 1 ? cuts[1].first : 0xffffffffu);
    totals.cuts += life.cuts_felt;
    totals.answered += life.answered;
    totals.lost += life.lost;
    ++totals.lives;
    return life.complaint.empty();
  };
  for (std::uint32_t k = 0; k < operations; ++k) {
    for (std::uint32_t t = 0; t < tears; ++t) {
      const Tear tear = t == 0 ? Tear::torn : t == 1 ? Tear::nothing : t == 2 ? Tear::everything : Tear::torn;
      if (!live(k * 1000 + t, {{k, tear}})) return totals;
    }
    for (std::uint32_t d = 0; d < doubles; ++d) {
      const std::uint64_t seed = k * 1000 + 500 + d;
      if (!live(seed, {{k, static_cast<Tear>(d % 3 == 0 ? 2 : d % 3 - 1)},
                       {static_cast<std::uint32_t>(seed * 7 % 13), Tear::torn}}))
        return totals;
    }
  }
  return totals;
}

inline void sweep_all(std::uint32_t tears, std::uint32_t doubles, std::uint64_t at_least) {
  SweepTotals all;
  for (const FlashGeometry& geometry : all_geometries()) {
    const SweepTotals one = sweep(geometry, tears, doubles);
    if (testing::Test::HasFailure()) return;
    all.cuts += one.cuts;
    all.lives += one.lives;
    all.answered += one.answered;
    all.lost += one.lost;
  }
  std::cout << "power cuts: " << all.cuts << " in " << all.lives << " lives; " << all.answered << " answers sent, "
            << all.lost << " refused or lost\n";
  EXPECT_GE(all.cuts, k_is_sanitized ? at_least / 8 : at_least);
}

}  // namespace sotto
