// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>

#include "rot_life.hpp"

namespace sotto {

/// Lives of one trouble, printed as a row of the table in shared/spec/LEDGER.md.
struct Row {
  std::uint32_t violations = 0, bricked = 0, rolled_back = 0;
  std::uint64_t reports = 0;
};

inline Row live_often(const Trouble& trouble, std::uint32_t lives) {
  Row row;
  std::uint64_t mix = 0;
  for (const char* c = trouble.name; *c != 0; ++c) mix = mix * 131 + static_cast<unsigned char>(*c);
  for (std::uint32_t i = 0; i < lives; ++i) {
    RotLife life(trouble, mix + i * 7919ull);
    life.run();
    row.violations += life.verdict != Verdict::kept;
    row.bricked += life.bricked != Status::ok && life.bricked != Status::rolled_back;
    row.rolled_back += life.bricked == Status::rolled_back;
    row.reports += life.reports;
  }
  std::printf("| %-58s | %6u | %6u | %6u |\n", trouble.name, row.violations, row.bricked, row.rolled_back);
  std::fflush(stdout);
  return row;
}

/// Must never be broken.
inline constexpr Trouble k_never[] = {
    {.name = "power cuts", .cuts = 0.5},
    {.name = "dense cuts", .cuts = 0.95, .cut_within = 20},
    {.name = "reported failures", .cuts = 0.3, .reported = 0.03},
    {.name = "reported failures, counter", .cuts = 0.3, .reported = 0.03, .counter = true},
    {.name = "metastable torn bits", .cuts = 0.7, .metastable = 0.3},
    {.name = "metastable torn bits, counter", .cuts = 0.7, .metastable = 0.3, .counter = true},
    {.name = "one flip", .flips_once = 1},
    {.name = "one flip, cuts", .cuts = 0.5, .flips_once = 1},
    {.name = "one flip at each boot", .flips_each = 1},
    {.name = "one flip at each boot, counter", .flips_each = 1, .counter = true},
    {.name = "one flip at each boot, cuts", .cuts = 0.5, .flips_each = 1},
    {.name = "flips while running, cuts", .cuts = 0.5, .running = 0.02},
    {.name = "one stuck bit, cuts", .cuts = 0.5, .stuck = 1},
    {.name = "older flash copied back, counter", .cuts = 0.3, .counter = true, .rollback = true},
    {.name = "forged spend, key", .cuts = 0.3, .key = true, .forges = true},
    {.name = "forged spend and older flash, key and counter",
     .cuts = 0.3,
     .counter = true,
     .key = true,
     .rollback = true,
     .forges = true},
};

/// At most one in 50,000.
inline constexpr Trouble k_seldom[] = {
    {.name = "1 to 8 flips, spread, cuts", .cuts = 0.5, .flips_once = 8},
    {.name = "1 to 8 flips within 64 bytes, cuts", .cuts = 0.5, .flips_once = 8, .near = true},
    {.name = "1 to 8 flips at each boot, spread, cuts", .cuts = 0.5, .flips_each = 8},
    {.name = "1 to 8 flips at each boot, within 64 bytes, cuts", .cuts = 0.5, .flips_each = 8, .near = true},
};

/// Outside of what is promised: the odds are stated.
inline constexpr Trouble k_stated[] = {
    {.name = "four stuck bits, cuts", .cuts = 0.5, .stuck = 4},
    {.name = "programs that fail silently, cuts", .cuts = 0.5, .silent_program = 0.02},
    {.name = "erases that fail silently, cuts", .cuts = 0.5, .silent_erase = 0.1},
};

/// What a hook is missing for, and the same flash with what tells rot from cuts taken out of the ledger's sight: the lives must see it.
inline constexpr Trouble k_seen[] = {
    {.name = "older flash copied back", .cuts = 0.3, .rollback = true},
    {.name = "forged spend", .cuts = 0.3, .forges = true},
    {.name = "(blind) 1 to 8 flips, spread, cuts", .cuts = 0.5, .flips_once = 8, .hides = true},
    {.name = "(blind) one flip at each boot, cuts", .cuts = 0.5, .flips_each = 1, .hides = true},
};

}  // namespace sotto
