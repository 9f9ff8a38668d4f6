// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "seeded_entropy.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "unity.h"

// The sentences that hold for every randomizer, once.
namespace sotto::checks {

/// Lists to loop over: uint32_t and int32_t are other types than the literals' on some targets.
using Numbers = std::initializer_list<std::uint32_t>;
using Integers = std::initializer_list<std::int32_t>;

inline void expect_status(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

inline CoinLabel label(std::uint64_t pseudonym = 99) {
  static const std::uint8_t study_seed[32] = {3, 1, 4, 1, 5, 9, 2, 6};
  return {study_seed, pseudonym, 7};
}

/// Coins in the middle of nothing: one begun report, the same for the same seed.
class BegunCoins {
 public:
  explicit BegunCoins(std::uint64_t seed) : entropy_(seed) {
    expect_status(Status::ok, coins_.begin_report(entropy_.source()));
  }
  operator PrivateCoins&() noexcept { return coins_; }
  PrivateCoins* operator->() noexcept { return &coins_; }

 private:
  SeededEntropy entropy_;
  PrivateCoins coins_;
};

template <class Spec>
Spec derived(Spec spec) {
  expect_status(Status::ok, derive(spec));
  return spec;
}

template <class Spec>
Certified<Spec> certified(const Spec& spec) {
  Certified<Spec> out;
  expect_status(Status::ok, certify(spec, spec.epsilon, out));
  TEST_ASSERT_TRUE(out.valid());
  return out;
}

inline std::uint8_t hits[4096];

/// The exact channel for one input, from all ranks: report(draw) hits each outcome of the coin's side exactly once and no
/// other, at both ends of the coin's range on that side, whatever the unused rank is. So an inside outcome has T/k of the
/// 2^32 coins and an outside one (2^32-T)/(M-k). `inside(y)` tells which outcomes are inside.
template <class Report, class Inside>
void expect_channel_row(const TwoLevel& c, Report report, Inside inside) {
  TEST_ASSERT_TRUE(c.outcomes <= sizeof hits);
  for (const std::uint32_t coin : Numbers{0, c.threshold - 1, c.threshold, ~std::uint32_t{0}}) {
    const bool within = coin < c.threshold;
    const std::uint32_t ranks = within ? c.inside : c.outcomes - c.inside;
    for (std::uint32_t y = 0; y < c.outcomes; ++y) hits[y] = 0;
    bool in_range = true, alone = true;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const auto with_unused = [&](std::uint32_t unused) {
        return report(within ? TwoLevelDraw{coin, rank, unused} : TwoLevelDraw{coin, unused, rank});
      };
      const std::uint32_t others = c.outcomes - ranks;
      const std::uint32_t y = with_unused(0);
      alone = alone && y == with_unused(others - 1 - rank % others);
      in_range = in_range && y < c.outcomes;
      if (y < c.outcomes) ++hits[y];
    }
    TEST_ASSERT_TRUE(in_range);
    TEST_ASSERT_TRUE(alone);
    std::uint32_t wrong = 0;
    for (std::uint32_t y = 0; y < c.outcomes; ++y) wrong += hits[y] != (inside(y) == within ? 1 : 0) ? 1u : 0u;
    TEST_ASSERT_EQUAL_UINT32(0, wrong);
  }
}

/// Reports with equal coins and different inputs leave the coins at the same word: report(input number, coins).
template <class Report>
void expect_same_words(std::uint32_t inputs, Report report) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    BegunCoins first{seed};
    report(std::uint32_t{0}, first);
    const std::uint32_t next = first->word();
    for (std::uint32_t input = 1; input < inputs; ++input) {
      BegunCoins coins{seed};
      report(input, coins);
      TEST_ASSERT_EQUAL_HEX32(next, coins->word());
    }
  }
}

/// The randomizer is its pure function of the words drawn: report(coins) equals from_draw(draw) for many seeds.
template <class Report, class FromDraw>
void expect_report_of_draw(const TwoLevel& c, Report report, FromDraw from_draw) {
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    BegunCoins coins{seed}, twin{seed};
    const TwoLevelDraw draw = draw_two_level(twin, c);
    TEST_ASSERT_EQUAL_UINT32(from_draw(draw), report(coins));
  }
}

/// No report without a certified spec, a begun report and a healthy source: report(certified, coins, out) refuses by name and
/// leaves `out` alone.
template <class Spec, class Report>
void expect_refusals(const Spec& spec, Report report) {
  constexpr std::uint32_t k_untouched = 0xdeadbeefu;
  std::uint32_t out = k_untouched;
  BegunCoins begun{1};
  expect_status(Status::uncertified, report(Certified<Spec>{}, begun, out));
  const Certified<Spec> good = certified(spec);
  PrivateCoins fresh;
  expect_status(Status::entropy_not_ready, report(good, fresh, out));
  FlawedEntropy dry{EntropyFlaw::dry, 1};
  PrivateCoins coins;
  expect_status(Status::ok, coins.begin_report(dry.source()));
  expect_status(Status::entropy_fault, coins.begin_report(dry.source()));
  expect_status(Status::entropy_not_ready, report(good, coins, out));
  TEST_ASSERT_EQUAL_HEX32(k_untouched, out);
  dry.mend();
  expect_status(Status::ok, coins.begin_report(dry.source()));
  expect_status(Status::ok, report(good, coins, out));
  TEST_ASSERT_TRUE(out != k_untouched);
}

template <class Spec>
void expect_certify(Status expected, const Spec& spec, EpsilonNano cap) {
  Certified<Spec> out;
  expect_status(expected, certify(spec, cap, out));
  TEST_ASSERT_EQUAL(expected == Status::ok, out.valid());
}

/// What certify() refuses in every two-level spec: epsilon out of range, above the cap, and a threshold that spends more.
template <class Spec>
void expect_epsilon_refusals(Spec spec) {
  const EpsilonNano epsilon = spec.epsilon;
  spec = derived(spec);
  expect_certify(Status::ok, spec, epsilon);
  expect_certify(Status::over_cap, spec, epsilon - 1);
  for (const EpsilonNano bad : {EpsilonNano{0}, k_epsilon_max + 1, ~EpsilonNano{0}}) {
    Spec wrong = spec;
    wrong.epsilon = bad;
    expect_certify(Status::bad_epsilon, wrong, ~EpsilonNano{0});
  }
  if constexpr (TwoLevelSpec<Spec>) {
    TEST_ASSERT_TRUE(delivered(spec) <= epsilon);
    Spec wrong = spec;
    ++wrong.threshold;
    expect_certify(Status::overspent, wrong, k_epsilon_max);
    wrong.threshold = 0;
    expect_certify(Status::overspent, wrong, k_epsilon_max);
    const TwoLevel c = channel(spec);
    if (2 * std::uint64_t{c.inside} < c.outcomes) {
      expect_status(Status::ok,
                    two_level_threshold(2, 1, epsilon, wrong.threshold));  // right for two outcomes, not here
      expect_certify(Status::overspent, wrong, k_epsilon_max);
    }
  }
}

}  // namespace sotto::checks
