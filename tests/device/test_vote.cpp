// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/vote.hpp"

#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

VoteSpec few() { return derived(VoteSpec{.epsilon = 4 * k_epsilon_one, .features = 6}); }
VoteSpec many() { return derived(VoteSpec{.epsilon = 2 * k_epsilon_one, .features = 1024}); }

std::uint32_t report_of(const Certified<VoteSpec>& spec, std::uint32_t x, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, vote(spec, label(), x, coins, report));
  return report;
}

/// What the oracle reports for x, from its own functions.
std::uint32_t oracle_report(const VoteSpec& spec, std::uint32_t x, const TwoLevelDraw& draw) {
  const std::uint32_t answer = x <= spec.features ? x : spec.features;
  const TwoLevel c = channel(spec);
  return grr_report(c, spec.bits == 0 ? answer : walsh_hash_of(as_walsh_hash(spec), label(), answer), draw);
}

void the_oracle_with_the_smaller_variance_is_chosen() {
  TEST_ASSERT_EQUAL_UINT32(static_cast<std::uint32_t>(VoteOracle::grr), few().oracle);
  TEST_ASSERT_EQUAL_UINT32(0, few().bits);
  TEST_ASSERT_EQUAL_UINT32(7, channel(few()).outcomes);
  TEST_ASSERT_EQUAL_UINT32(static_cast<std::uint32_t>(VoteOracle::walsh_hash), many().oracle);
  TEST_ASSERT_EQUAL_UINT32(3, many().bits);
  TEST_ASSERT_EQUAL_UINT32(8, channel(many()).outcomes);
}

void every_vote_has_the_row_of_its_oracle() {
  const VoteSpec spec = few();
  const TwoLevel c = channel(spec);
  for (const std::uint32_t x : Numbers{0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 100u, ~0u}) {
    const std::uint32_t answer = x < 6 ? x : 6;  // none, or beyond: none
    expect_channel_row(
        c, [&](const TwoLevelDraw& d) { return oracle_report(spec, x, d); },
        [&](std::uint32_t y) { return y == answer; });
  }
}

void the_report_is_the_function_of_its_draw() {
  for (const VoteSpec& plain : {few(), many()}) {
    const Certified<VoteSpec> spec = certified(plain);
    for (const std::uint32_t x : Numbers{0u, 1u, 6u, 7u, 1023u, 1024u, 1025u, ~0u}) {
      expect_report_of_draw(
          channel(plain), [&](PrivateCoins& coins) { return report_of(spec, x, coins); },
          [&](const TwoLevelDraw& d) { return oracle_report(plain, x, d); });
    }
  }
}

void words_do_not_depend_on_the_vote() {
  for (const VoteSpec& plain : {few(), many()}) {
    const Certified<VoteSpec> spec = certified(plain);
    expect_same_words(10, [&](std::uint32_t x, PrivateCoins& coins) { (void)report_of(spec, x * x * x, coins); });
  }
}

void refusals_are_named_and_leave_the_report_alone() {
  for (const VoteSpec& plain : {few(), many()}) {
    expect_refusals(plain, [](const Certified<VoteSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
      return vote(spec, label(), 3, coins, report);
    });
  }
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(VoteSpec{.epsilon = 2 * k_epsilon_one, .features = 1024});
  expect_epsilon_refusals(VoteSpec{.epsilon = 6 * k_epsilon_one, .features = 20});
  for (const std::uint32_t features : Numbers{0u, 1u, k_categories_max, ~0u}) {
    VoteSpec spec = many();
    spec.features = features;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
    expect_status(Status::bad_dimension, derive(spec));
  }
  VoteSpec spec = many();
  spec.bits = 13;
  expect_certify(Status::bad_channel, spec, k_epsilon_max);
  spec = many();
  spec.oracle = 3;
  expect_certify(Status::bad_channel, spec, k_epsilon_max);
  spec = few();
  spec.bits = 3;  // the oracle without a hash
  expect_certify(Status::bad_channel, spec, k_epsilon_max);
  spec = many();
  spec.oracle = static_cast<std::uint32_t>(VoteOracle::grr);  // a threshold of 8 outcomes for 1025
  spec.bits = 0;
  expect_certify(Status::overspent, spec, k_epsilon_max);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_oracle_with_the_smaller_variance_is_chosen);
  RUN_TEST(every_vote_has_the_row_of_its_oracle);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_vote);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
