// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/hemisphere.hpp"

#include "sotto/codeword.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

constexpr std::uint32_t k_dimension = 7;
Q15 x[k_hemisphere_dimension_max];

HemisphereSpec seven() { return derived(HemisphereSpec{.epsilon = k_epsilon_one, .dimension = k_dimension}); }

/// The inputs of the tests: zero, the axes, the ends of the format, and a mix.
void fill(std::uint32_t number, std::uint32_t dimension = k_dimension) {
  SeededEntropy random{number};
  for (std::uint32_t j = 0; j < dimension; ++j) {
    const Q15 any = static_cast<Q15>(random.word());
    x[j] = number == 0   ? Q15{0}
           : number == 1 ? Q15{-32768}
           : number == 2 ? Q15{32767}
           : number == 3 ? static_cast<Q15>(j == 2)
                         : any;
  }
}

std::uint32_t report_of(const Certified<HemisphereSpec>& spec, PrivateCoins& coins, const CoinLabel& device = label()) {
  std::uint32_t report = 0;
  expect_status(Status::ok, hemisphere(spec, device, {x, spec.spec().dimension}, coins, report));
  return report;
}

void the_side_is_the_sign_of_the_inner_product() {
  for (const std::uint32_t dimension : Numbers{2u, 3u, 4u, 5u, 64u, 65u, 511u, 512u}) {
    for (std::uint64_t device = 1; device < 12; ++device) {
      fill(static_cast<std::uint32_t>(device), dimension);
      PublicCoins normal{label(device), CoinPurpose::codewords};
      std::int64_t sum = 0;
      for (std::uint32_t j = 0; j < dimension; ++j) {
        const std::uint8_t b = normal.byte();
        sum += std::int64_t{k_nibble_low[b & 15] + k_nibble_high[b >> 4]} * x[j];
      }
      TEST_ASSERT_EQUAL_UINT32(sum >= 0 ? 1 : 0, hemisphere_side(label(device), {x, dimension}));
    }
  }
}

void the_coordinates_are_centred_and_have_the_stated_variance() {
  std::int32_t sum = 0, squares = 0;
  for (std::uint32_t b = 0; b < 256; ++b) {
    sum += nibble_pair(b);
    squares += nibble_pair(b) * nibble_pair(b);
  }
  TEST_ASSERT_EQUAL_INT32(0, sum);
  TEST_ASSERT_EQUAL_INT32(k_nibble_variance_x4 * 64, squares);  // 256 coordinates, variance times 4
}

void the_coin_keeps_or_turns_the_side_exactly_at_the_threshold() {
  // Every threshold next to the coin that will be drawn, so that the report must turn with the last of them.
  for (std::uint32_t input = 0; input < 6; ++input) {
    fill(input);
    for (std::uint64_t device = 1; device < 5; ++device) {
      const std::uint32_t side = hemisphere_side(label(device), {x, k_dimension});
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        BegunCoins twin{seed};
        const TwoLevelDraw draw = draw_two_level(twin, channel(seven()));
        for (const std::uint32_t threshold : Numbers{draw.coin, draw.coin + 1}) {
          HemisphereSpec spec = seven();
          spec.epsilon = k_epsilon_max;
          spec.threshold = threshold;
          Certified<HemisphereSpec> accepted;
          if (certify(spec, k_epsilon_max, accepted) != Status::ok) continue;  // beyond 12 nats
          BegunCoins coins{seed};
          TEST_ASSERT_EQUAL_UINT32(draw.coin < threshold ? side : 1 - side, report_of(accepted, coins, label(device)));
        }
      }
    }
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<HemisphereSpec> spec = certified(seven());
  expect_same_words(12, [&](std::uint32_t input, PrivateCoins& coins) {
    fill(input);
    (void)report_of(spec, coins);
  });
}

void refusals_are_named_and_leave_the_report_alone() {
  fill(5);
  expect_refusals(seven(), [](const Certified<HemisphereSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return hemisphere(spec, label(), {x, k_dimension}, coins, report);
  });
  const Certified<HemisphereSpec> spec = certified(seven());
  for (const std::uint32_t size : Numbers{0u, k_dimension - 1, k_dimension + 1}) {
    BegunCoins coins{1}, twin{1};
    std::uint32_t report = 77;
    expect_status(Status::short_buffer, hemisphere(spec, label(), {x, size}, coins, report));
    TEST_ASSERT_EQUAL_UINT32(77, report);
    TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());  // nothing was drawn
  }
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(HemisphereSpec{.epsilon = 2 * k_epsilon_one, .dimension = 256});
  for (const std::uint32_t dimension : Numbers{0u, 1u, 513u, ~0u}) {
    HemisphereSpec spec = seven();
    spec.dimension = dimension;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_side_is_the_sign_of_the_inner_product);
  RUN_TEST(the_coordinates_are_centred_and_have_the_stated_variance);
  RUN_TEST(the_coin_keeps_or_turns_the_side_exactly_at_the_threshold);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
