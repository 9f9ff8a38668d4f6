// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/sphere_code.hpp"

#include "sotto/codeword.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

constexpr std::uint32_t k_dimension = 5, k_codewords = 48, k_inputs = 8;
Q15 x[k_sphere_dimension_max];
std::uint16_t work[k_codewords];
bool inside[k_codewords];

SphereCodeSpec spec_of(std::uint32_t closest, std::uint32_t dimension = k_dimension) {
  return derived(SphereCodeSpec{
      .epsilon = 4 * k_epsilon_one, .dimension = dimension, .codewords = k_codewords, .closest = closest});
}

void fill(std::uint32_t number) {
  SeededEntropy random{number};
  for (Q15& c : x) {
    const Q15 any = static_cast<Q15>(random.word());
    c = number == 0   ? Q15{0}
        : number == 1 ? Q15{-32768}
        : number == 2 ? Q15{32767}
        : number == 3 ? static_cast<Q15>(any >> 12)
                      : any;
  }
}

/// By sorting: the k largest scores, lower number first on ties.
void find_inside(const SphereCodeSpec& spec) {
  for (bool& b : inside) b = false;
  for (std::uint32_t picked = 0; picked < spec.closest; ++picked) {
    std::uint32_t at = k_codewords;
    for (std::uint32_t i = 0; i < k_codewords; ++i) {
      if (!inside[i] && (at == k_codewords || work[i] > work[at])) at = i;
    }
    inside[at] = true;
  }
}

void inverse_lengths_are_floors() {
  TEST_ASSERT_EQUAL_UINT32(0, inverse_length_q24(0));
  for (std::uint32_t square = 1; square < 64u * 212u * 212u; square += 1 + square / 7) {
    std::uint64_t root = 0;  // floor(16 |u|)
    while ((root + 1) * (root + 1) <= std::uint64_t{square} * 256) ++root;
    TEST_ASSERT_EQUAL_UINT32((1u << 28) / root, inverse_length_q24(square));
  }
}

void scores_are_those_of_the_page() {
  for (const std::uint32_t dimension : Numbers{2u, 5u, 64u}) {
    const SphereCodeSpec spec = spec_of(7, dimension);
    for (std::uint32_t input = 0; input < k_inputs; ++input) {
      fill(input);
      sphere_code_scores(spec, label(input), {x, dimension}, {work, k_codewords});
      PublicCoins codewords{label(input), CoinPurpose::codewords};
      for (std::uint32_t i = 0; i < k_codewords; ++i) {
        std::int64_t product = 0, square = 0;
        for (std::uint32_t j = 0; j < dimension; ++j) {
          const std::int64_t u = sphere_coordinate(codewords);
          product += u * x[j];
          square += u * u;
        }
        std::int64_t score = (product * inverse_length_q24(static_cast<std::uint32_t>(square))) >> 24;
        score = score < -32768 ? -32768 : score > 32767 ? 32767 : score;
        TEST_ASSERT_EQUAL_INT32(score + 32768, work[i]);
      }
    }
  }
}

void every_input_has_its_exact_row() {
  for (const std::uint32_t closest : Numbers{1u, 7u, 47u}) {
    const SphereCodeSpec spec = spec_of(closest);
    for (std::uint32_t input = 0; input < k_inputs; ++input) {
      fill(input);
      sphere_code_scores(spec, label(), {x, k_dimension}, {work, k_codewords});
      find_inside(spec);
      expect_channel_row(
          channel(spec),
          [&](const TwoLevelDraw& d) {
            return sphere_code_report(spec, {work, k_codewords}, d);
          },
          [](std::uint32_t y) { return inside[y]; });
    }
  }
}

void ties_still_give_exactly_k_inside() {
  const SphereCodeSpec spec = spec_of(7);
  for (const std::uint16_t score : {std::uint16_t{0}, std::uint16_t{32768}, std::uint16_t{65535}}) {
    for (std::uint16_t& w : work) w = score;
    work[20] = 40000;
    find_inside(spec);
    expect_channel_row(
        channel(spec),
        [&](const TwoLevelDraw& d) {
          return sphere_code_report(spec, {work, k_codewords}, d);
        },
        [](std::uint32_t y) { return inside[y]; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<SphereCodeSpec> spec = certified(spec_of(7));
  for (std::uint32_t input = 0; input < k_inputs; ++input) {
    fill(input);
    expect_report_of_draw(
        channel(spec.spec()),
        [&](PrivateCoins& coins) {
          std::uint32_t report = 0;
          expect_status(Status::ok, sphere_code(spec, label(), {x, k_dimension}, {work, k_codewords}, coins, report));
          return report;
        },
        [&](const TwoLevelDraw& d) {
          sphere_code_scores(spec.spec(), label(), {x, k_dimension}, {work, k_codewords});
          return sphere_code_report(spec.spec(), {work, k_codewords}, d);
        });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<SphereCodeSpec> spec = certified(spec_of(7));
  expect_same_words(k_inputs, [&](std::uint32_t input, PrivateCoins& coins) {
    fill(input);
    std::uint32_t report = 0;
    expect_status(Status::ok, sphere_code(spec, label(), {x, k_dimension}, {work, k_codewords}, coins, report));
  });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(spec_of(7), [](const Certified<SphereCodeSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return sphere_code(spec, label(), {x, k_dimension}, {work, k_codewords}, coins, report);
  });
  const Certified<SphereCodeSpec> spec = certified(spec_of(7));
  BegunCoins coins{1}, twin{1};
  std::uint32_t report = 77;
  for (const std::uint32_t size : Numbers{0u, k_dimension - 1, k_dimension + 1}) {
    expect_status(Status::short_buffer, sphere_code(spec, label(), {x, size}, {work, k_codewords}, coins, report));
  }
  expect_status(Status::short_buffer,
                sphere_code(spec, label(), {x, k_dimension}, {work, k_codewords - 1}, coins, report));
  TEST_ASSERT_EQUAL_UINT32(77, report);
  TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());  // nothing was drawn
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(
      SphereCodeSpec{.epsilon = 6 * k_epsilon_one, .dimension = 9, .codewords = 1024, .closest = 20});
  for (const std::uint32_t dimension : Numbers{0u, 1u, 65u, ~0u}) {
    SphereCodeSpec spec = spec_of(7);
    spec.dimension = dimension;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
  for (const std::uint32_t codewords : Numbers{0u, 1u, 7u, 4097u, ~0u}) {
    SphereCodeSpec spec = spec_of(7);
    spec.codewords = codewords;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  for (const std::uint32_t closest : Numbers{0u, k_codewords, k_codewords + 1, ~0u}) {
    SphereCodeSpec spec = spec_of(7);
    spec.closest = closest;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(inverse_lengths_are_floors);
  RUN_TEST(scores_are_those_of_the_page);
  RUN_TEST(every_input_has_its_exact_row);
  RUN_TEST(ties_still_give_exactly_k_inside);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
