// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/grr.hpp"

#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

GrrSpec five() { return derived(GrrSpec{.epsilon = k_epsilon_one, .categories = 5}); }

void every_input_has_its_exact_row() {
  for (const std::uint32_t categories : Numbers{2u, 3u, 5u, 17u}) {
    const TwoLevel c = channel(derived(GrrSpec{.epsilon = 2 * k_epsilon_one, .categories = categories}));
    for (std::uint32_t x = 0; x < categories; ++x) {
      expect_channel_row(
          c, [&](const TwoLevelDraw& d) { return grr_report(c, x, d); }, [&](std::uint32_t y) { return y == x; });
    }
  }
}

void an_input_outside_the_domain_has_the_row_of_zero() {
  const TwoLevel c = channel(five());
  for (const std::uint32_t x : Numbers{5u, 6u, 1000u, ~0u}) {
    expect_channel_row(
        c, [&](const TwoLevelDraw& d) { return grr_report(c, x, d); }, [](std::uint32_t y) { return y == 0; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<GrrSpec> spec = certified(five());
  for (std::uint32_t x = 0; x < 7; ++x) {
    expect_report_of_draw(
        channel(spec.spec()),
        [&](PrivateCoins& coins) {
          std::uint32_t report = 0;
          expect_status(Status::ok, grr(spec, x, coins, report));
          return report;
        },
        [&](const TwoLevelDraw& d) { return grr_report(channel(spec.spec()), x, d); });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<GrrSpec> spec = certified(five());
  expect_same_words(9, [&](std::uint32_t x, PrivateCoins& coins) {
    std::uint32_t report = 0;
    expect_status(Status::ok, grr(spec, x, coins, report));
  });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(five(), [](const Certified<GrrSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return grr(spec, 3, coins, report);
  });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(GrrSpec{.epsilon = 3 * k_epsilon_one, .categories = 5});
  for (const std::uint32_t categories : Numbers{0u, 1u, k_categories_max + 1, ~0u}) {
    GrrSpec spec = five();
    spec.categories = categories;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
    expect_status(Status::bad_dimension, derive(spec));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_input_has_its_exact_row);
  RUN_TEST(an_input_outside_the_domain_has_the_row_of_zero);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
