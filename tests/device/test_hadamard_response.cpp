// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/hadamard_response.hpp"

#include "sotto/masks.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

HadamardResponseSpec sixteen() {
  return derived(HadamardResponseSpec{.epsilon = k_epsilon_one, .log2_size = 4, .categories = 13});
}

std::uint32_t report_of(const Certified<HadamardResponseSpec>& spec, std::uint32_t x, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, hadamard_response(spec, x, coins, report));
  return report;
}

void every_input_has_its_exact_row() {
  for (std::uint32_t bits = 2; bits <= 6; ++bits) {
    const std::uint32_t most = (1u << bits) - 1;
    const auto spec = derived(HadamardResponseSpec{.epsilon = k_epsilon_one, .log2_size = bits, .categories = most});
    for (std::uint32_t x = 0; x < most; ++x) {
      expect_channel_row(
          channel(spec), [&](const TwoLevelDraw& d) { return hadamard_response_report(spec, x, d); },
          [&](std::uint32_t y) { return parity(y & (x + 1)) == 0; });
    }
  }
}

void an_input_outside_the_domain_has_the_row_of_zero() {
  const HadamardResponseSpec spec = sixteen();
  for (const std::uint32_t x : Numbers{13u, 14u, 15u, 16u, ~0u}) {
    expect_channel_row(
        channel(spec), [&](const TwoLevelDraw& d) { return hadamard_response_report(spec, x, d); },
        [](std::uint32_t y) { return (y & 1u) == 0; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<HadamardResponseSpec> spec = certified(sixteen());
  for (std::uint32_t x = 0; x < 15; ++x) {
    expect_report_of_draw(
        channel(spec.spec()), [&](PrivateCoins& coins) { return report_of(spec, x, coins); },
        [&](const TwoLevelDraw& d) { return hadamard_response_report(spec.spec(), x, d); });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<HadamardResponseSpec> spec = certified(sixteen());
  expect_same_words(16, [&](std::uint32_t x, PrivateCoins& coins) { (void)report_of(spec, x, coins); });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(sixteen(), [](const Certified<HadamardResponseSpec>& spec, PrivateCoins& coins,
                                std::uint32_t& report) { return hadamard_response(spec, 3, coins, report); });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(HadamardResponseSpec{.epsilon = k_epsilon_one, .log2_size = 8, .categories = 200});
  for (const std::uint32_t categories : Numbers{0u, 1u, 16u, ~0u}) {
    HadamardResponseSpec spec = sixteen();
    spec.categories = categories;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
  for (const std::uint32_t bits : Numbers{0u, 1u, 25u, 32u, ~0u}) {
    HadamardResponseSpec spec = sixteen();
    spec.log2_size = bits;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
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
