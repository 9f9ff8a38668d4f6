// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Random lives on flash that is cut, rots, lies, or is written by somebody else. Columns: lives with a broken promise; lives that
// ended in a refusal; of these with a counter, `rolled_back`. test_rot_deep.cpp has 50,000 lives a row.
#include "rot_table.hpp"

namespace sotto {
namespace {

#ifndef SOTTO_ROT_LIVES
#define SOTTO_ROT_LIVES 2000
#endif
constexpr std::uint32_t k_lives = SOTTO_ROT_LIVES;

TEST(Rot, no_promise_is_broken_by_cuts_one_bit_or_somebody_without_the_key) {
  for (const Trouble& trouble : k_never) {
    const Row row = live_often(trouble, k_lives);
    EXPECT_EQ(row.violations, 0u) << trouble.name;
    EXPECT_GT(row.reports, k_lives / 4) << trouble.name << ": too little happens in these lives";
    if (trouble.flips_once + trouble.flips_each + trouble.stuck == 0 && trouble.running == 0 && !trouble.rollback &&
        !trouble.forges) {
      EXPECT_EQ(row.bricked + row.rolled_back, 0u) << trouble.name << ": cuts and reported failures end no ledger";
    }
  }
}

TEST(Rot, several_bits_are_noticed) {
  for (const Trouble& trouble : k_seldom)
    EXPECT_LE(live_often(trouble, k_lives).violations, k_lives / 50000) << trouble.name;
}

TEST(Rot, odds_outside_of_the_promise) {
  for (const Trouble& trouble : k_stated) EXPECT_LE(live_often(trouble, k_lives).violations, k_lives / 1000);
}

TEST(Rot, the_lives_see_what_the_rules_prevent) {
  for (const Trouble& trouble : k_seen) EXPECT_GT(live_often(trouble, k_lives).violations, k_lives / 1000);
}

}  // namespace
}  // namespace sotto
