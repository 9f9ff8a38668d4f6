// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/window.hpp"

#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

WindowSpec seven() { return derived(WindowSpec{.epsilon = 2 * k_epsilon_one, .outcomes = 7, .width = 3}); }

constexpr std::int32_t k_inputs[] = {-32768, -32767, -16385, -16384, -16383, -1,    0,          1,
                                     16383,  16384,  16385,  32767,  32768,  32769, 2147483647, -2147483647 - 1};

/// Level and fraction by the definition, in wide arithmetic.
struct Position {
  std::uint32_t level, fraction;
};
Position position_of(const WindowSpec& spec, std::int32_t x) {
  const std::int64_t clipped = x < -32768 ? -32768 : x > 32768 ? 32768 : x;
  const auto position = static_cast<std::uint64_t>((clipped + 32768) * (spec.outcomes - spec.width));
  return {static_cast<std::uint32_t>(position >> 16), static_cast<std::uint32_t>(position & 65535u)};
}

std::uint32_t report_of(const Certified<WindowSpec>& spec, std::int32_t x, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, window(spec, x, coins, report));
  return report;
}

void expect_window_at(const WindowSpec& spec, std::int32_t x, std::uint32_t round, std::uint32_t level) {
  expect_channel_row(
      channel(spec),
      [&](const TwoLevelDraw& d) {
        return window_report(spec, x, {round, d});
      },
      [&](std::uint32_t y) { return y >= level && y < level + spec.width; });
}

void every_input_and_rounding_has_its_exact_row() {
  for (const WindowSpec& spec : {seven(), derived(WindowSpec{.epsilon = k_epsilon_one, .outcomes = 2, .width = 1}),
                                 derived(WindowSpec{.epsilon = k_epsilon_one, .outcomes = 12, .width = 11})}) {
    for (const std::int32_t x : k_inputs) {
      const Position p = position_of(spec, x);
      // The rounding words at both ends of each side: fraction/65536 of them go up, exactly.
      if (p.fraction > 0) {
        expect_window_at(spec, x, 0, p.level + 1);
        expect_window_at(spec, x, ((p.fraction - 1) << 16) | 0xffffu, p.level + 1);
      }
      expect_window_at(spec, x, p.fraction << 16, p.level);
      expect_window_at(spec, x, ~0u, p.level);
    }
  }
}

void an_input_on_a_level_is_never_rounded_away() {
  const WindowSpec spec = seven();  // five levels: -1, -1/2, 0, 1/2, 1
  for (std::uint32_t level = 0; level < 5; ++level) {
    const std::int32_t x = -32768 + 16384 * static_cast<std::int32_t>(level);
    for (const std::uint32_t round : Numbers{0u, 0xffffu, 0x80000000u, ~0u}) expect_window_at(spec, x, round, level);
  }
}

void an_input_outside_the_domain_is_clipped() {
  const WindowSpec spec = seven();
  for (const std::int32_t x : Integers{-32769, -1000000, -2147483647 - 1}) expect_window_at(spec, x, 0, 0);
  for (const std::int32_t x : Integers{32769, 1000000, 2147483647}) expect_window_at(spec, x, 0, 4);
}

void the_report_is_the_function_of_its_draw() {
  const Certified<WindowSpec> spec = certified(seven());
  for (const std::int32_t x : k_inputs) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      BegunCoins coins{seed}, twin{seed};
      WindowDraw draw{};
      draw.round = twin->word();
      draw.channel = draw_two_level(twin, channel(spec.spec()));
      TEST_ASSERT_EQUAL_UINT32(window_report(spec.spec(), x, draw), report_of(spec, x, coins));
    }
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<WindowSpec> spec = certified(seven());
  expect_same_words(16, [&](std::uint32_t i, PrivateCoins& coins) { (void)report_of(spec, k_inputs[i], coins); });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(seven(), [](const Certified<WindowSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return window(spec, 3, coins, report);
  });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(WindowSpec{.epsilon = 4 * k_epsilon_one, .outcomes = 12, .width = 3});
  for (const std::uint32_t outcomes : Numbers{0u, 1u, 129u, ~0u}) {
    WindowSpec spec = seven();
    spec.outcomes = outcomes;
    spec.width = 1;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  for (const std::uint32_t width : Numbers{0u, 7u, 8u, ~0u}) {
    WindowSpec spec = seven();
    spec.width = width;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_input_and_rounding_has_its_exact_row);
  RUN_TEST(an_input_on_a_level_is_never_rounded_away);
  RUN_TEST(an_input_outside_the_domain_is_clipped);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
