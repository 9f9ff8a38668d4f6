// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/block.hpp"

#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

std::uint32_t bits_set(std::uint32_t v) {
  std::uint32_t n = 0;
  for (; v != 0; v &= v - 1) ++n;
  return n;
}

BlockSpec six() { return derived(BlockSpec{.epsilon = 2 * k_epsilon_one, .width = 6, .flips = 2}); }

std::uint32_t report_of(const Certified<BlockSpec>& spec, std::uint32_t x, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, block(spec, x, coins, report));
  return report;
}

void patterns_come_by_number_of_bits_then_by_value() {
  for (std::uint32_t width = 1; width <= 12; ++width) {
    std::uint32_t rank = 0, wrong = 0;
    for (std::uint32_t bits = 0; bits <= width; ++bits) {
      for (std::uint32_t word = 0; word < 1u << width; ++word) {
        if (bits_set(word) == bits) wrong += block_pattern(width, rank++) != word ? 1u : 0u;
      }
    }
    TEST_ASSERT_EQUAL_UINT32(1u << width, rank);
    TEST_ASSERT_EQUAL_UINT32(0, wrong);
  }
}

void the_widest_patterns_are_in_order() {
  TEST_ASSERT_EQUAL_HEX32(0, block_pattern(24, 0));
  for (std::uint32_t i = 0; i < 24; ++i) TEST_ASSERT_EQUAL_HEX32(1u << i, block_pattern(24, 1 + i));
  TEST_ASSERT_EQUAL_HEX32(3, block_pattern(24, 25));
  TEST_ASSERT_EQUAL_HEX32(0xffffffu, block_pattern(24, (1u << 24) - 1));
  SeededEntropy random{1};
  for (int i = 0; i < 300; ++i) {  // random neighbours
    const std::uint32_t rank = random.word() >> 8;
    if (rank == 0xffffffu) continue;
    const std::uint32_t a = block_pattern(24, rank), b = block_pattern(24, rank + 1);
    TEST_ASSERT_TRUE(bits_set(a) < bits_set(b) || (bits_set(a) == bits_set(b) && a < b));
  }
}

void the_number_of_patterns_is_the_sum_of_binomials() {
  for (std::uint32_t width = 1; width <= 24; ++width) {
    TEST_ASSERT_EQUAL_UINT32(1, patterns_within(width, 0));
    TEST_ASSERT_EQUAL_UINT32((1u << width) - 1, patterns_within(width, width - 1));
  }
  TEST_ASSERT_EQUAL_UINT32(190051, patterns_within(24, 6));
}

void every_input_has_its_exact_row() {
  for (std::uint32_t width = 1; width <= 6; ++width) {
    for (std::uint32_t flips = 0; flips < width; ++flips) {
      const auto spec = derived(BlockSpec{.epsilon = 2 * k_epsilon_one, .width = width, .flips = flips});
      for (std::uint32_t x = 0; x < 1u << width; ++x) {
        expect_channel_row(
            channel(spec), [&](const TwoLevelDraw& d) { return block_report(spec, x, d); },
            [&](std::uint32_t y) { return bits_set(x ^ y) <= flips; });
      }
    }
  }
}

void higher_bits_of_the_input_are_cleared() {
  const BlockSpec spec = six();
  for (const std::uint32_t x : Numbers{64u + 5u, 0xffffffc5u}) {
    expect_channel_row(
        channel(spec), [&](const TwoLevelDraw& d) { return block_report(spec, x, d); },
        [](std::uint32_t y) { return bits_set(5u ^ y) <= 2; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<BlockSpec> spec = certified(six());
  for (const std::uint32_t x : Numbers{0u, 1u, 42u, 63u, ~0u}) {
    expect_report_of_draw(
        channel(spec.spec()), [&](PrivateCoins& coins) { return report_of(spec, x, coins); },
        [&](const TwoLevelDraw& d) { return block_report(spec.spec(), x, d); });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<BlockSpec> spec = certified(six());
  expect_same_words(64, [&](std::uint32_t x, PrivateCoins& coins) { (void)report_of(spec, x, coins); });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(six(), [](const Certified<BlockSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return block(spec, 3, coins, report);
  });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(BlockSpec{.epsilon = 4 * k_epsilon_one, .width = 24, .flips = 8});
  for (const std::uint32_t width : Numbers{0u, 25u, 32u, ~0u}) {
    BlockSpec spec = six();
    spec.width = width;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  for (const std::uint32_t flips : Numbers{6u, 7u, ~0u}) {
    BlockSpec spec = six();
    spec.flips = flips;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(patterns_come_by_number_of_bits_then_by_value);
  RUN_TEST(the_widest_patterns_are_in_order);
  RUN_TEST(the_number_of_patterns_is_the_sum_of_binomials);
  RUN_TEST(every_input_has_its_exact_row);
  RUN_TEST(higher_bits_of_the_input_are_cleared);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
