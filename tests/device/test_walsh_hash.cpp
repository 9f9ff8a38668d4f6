// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/walsh_hash.hpp"

#include "sotto/masks.hpp"
#include "sotto/randomize/grr.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

WalshHashSpec eleven() { return derived(WalshHashSpec{.epsilon = 2 * k_epsilon_one, .categories = 11, .bits = 3}); }

std::uint32_t report_of(const Certified<WalshHashSpec>& spec, std::uint32_t x, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, walsh_hash(spec, label(), x, coins, report));
  return report;
}

void the_hash_is_the_parities_with_the_first_masks() {
  for (std::uint64_t device = 1; device < 20; ++device) {
    PublicCoins coins{label(device), CoinPurpose::masks};
    std::uint32_t masks[3];
    for (std::uint32_t& m : masks) m = coins.word() & 15u;
    for (std::uint32_t x = 0; x < 11; ++x) {
      std::uint32_t expected = 0;
      for (std::uint32_t i = 0; i < 3; ++i) expected |= parity(masks[i] & x) << i;
      TEST_ASSERT_EQUAL_UINT32(expected, walsh_hash_of(eleven(), label(device), x));
    }
  }
}

void two_categories_collide_as_often_as_chance() {
  // 4096 devices, 2^-3: 512, standard deviation 21.2, five of them: wrong with odds below 6e-7.
  std::uint32_t collisions = 0;
  for (std::uint64_t device = 1; device <= 4096; ++device) {
    collisions += walsh_hash_of(eleven(), label(device), 4) == walsh_hash_of(eleven(), label(device), 9) ? 1u : 0u;
  }
  TEST_ASSERT_UINT32_WITHIN(106, 512, collisions);
}

void every_input_has_its_exact_row() {
  const WalshHashSpec spec = eleven();
  const TwoLevel c = channel(spec);
  for (std::uint32_t x = 0; x < 14; ++x) {  // 11 and more are answered as 0
    const std::uint32_t hash = walsh_hash_of(spec, label(), x < 11 ? x : 0);
    TEST_ASSERT_EQUAL_UINT32(hash, walsh_hash_of(spec, label(), x));
    expect_channel_row(
        c, [&](const TwoLevelDraw& d) { return grr_report(c, walsh_hash_of(spec, label(), x), d); },
        [&](std::uint32_t y) { return y == hash; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<WalshHashSpec> spec = certified(eleven());
  for (const std::uint32_t x : Numbers{0u, 3u, 10u, 11u, ~0u}) {
    expect_report_of_draw(
        channel(spec.spec()), [&](PrivateCoins& coins) { return report_of(spec, x, coins); },
        [&](const TwoLevelDraw& d) {
          return grr_report(channel(spec.spec()), walsh_hash_of(spec.spec(), label(), x), d);
        });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<WalshHashSpec> spec = certified(eleven());
  expect_same_words(14, [&](std::uint32_t x, PrivateCoins& coins) { (void)report_of(spec, x, coins); });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(eleven(), [](const Certified<WalshHashSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return walsh_hash(spec, label(), 3, coins, report);
  });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(WalshHashSpec{.epsilon = k_epsilon_one, .categories = 100, .bits = 2});
  for (const std::uint32_t categories : Numbers{0u, 1u, k_categories_max + 1, ~0u}) {
    WalshHashSpec spec = eleven();
    spec.categories = categories;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
  for (const std::uint32_t bits : Numbers{0u, k_hash_bits_max + 1, 32u, ~0u}) {
    WalshHashSpec spec = eleven();
    spec.bits = bits;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_hash_is_the_parities_with_the_first_masks);
  RUN_TEST(two_categories_collide_as_often_as_chance);
  RUN_TEST(every_input_has_its_exact_row);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
