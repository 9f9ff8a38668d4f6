// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/cross_polytope.hpp"

#include "sotto/masks.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

constexpr std::uint32_t k_size = 64, k_inputs = 9;
Q15 x[k_size];
std::int32_t rotated[k_size], work[k_size];
bool inside[2 * k_size];

CrossPolytopeSpec spec_of(std::uint32_t dimension, std::uint32_t closest) {
  return derived(
      CrossPolytopeSpec{.epsilon = 4 * k_epsilon_one, .log2_size = 6, .dimension = dimension, .closest = closest});
}

/// Zero and one-coordinate vectors (ties), the ends of the format, and a mix.
void fill(std::uint32_t number) {
  SeededEntropy random{number};
  for (std::uint32_t j = 0; j < k_size; ++j) {
    const Q15 any = static_cast<Q15>(random.word());
    x[j] = number == 0   ? Q15{0}
           : number == 1 ? Q15{-32768}
           : number == 2 ? Q15{32767}
           : number == 3 ? static_cast<Q15>(j == 5 ? 32767 : 0)
           : number == 4 ? static_cast<Q15>(j == 63 ? -1 : 0)
           : number == 5 ? static_cast<Q15>(any >> 13)
                         : any;
  }
}

/// The inside set by sorting: the k largest magnitudes as the page defines them, lower index first on ties.
void find_inside(const CrossPolytopeSpec& spec) {
  for (bool& b : inside) b = false;
  for (std::uint32_t picked = 0; picked < spec.closest; ++picked) {
    std::int64_t best = -1;
    std::uint32_t at = 0;
    for (std::uint32_t j = 0; j < k_size; ++j) {
      if (inside[2 * j] || inside[2 * j + 1]) continue;
      const std::int64_t size = rotated[j] < 0 ? -std::int64_t{rotated[j]} : rotated[j];
      const std::int64_t cut = (size >> 2) > 65535 ? 65535 : size >> 2;
      if (cut > best) {
        best = cut;
        at = j;
      }
    }
    inside[2 * at + (rotated[at] < 0 ? 1 : 0)] = true;
  }
}

std::uint32_t report_from(const CrossPolytopeSpec& spec, const TwoLevelDraw& draw) {
  for (std::uint32_t j = 0; j < k_size; ++j) work[j] = rotated[j];  // the function overwrites its input
  return cross_polytope_report(spec, {work, k_size}, draw);
}

void the_rotation_is_the_one_of_the_page() {
  const CrossPolytopeSpec spec = spec_of(k_size, 9);
  for (std::uint32_t input = 0; input < k_inputs; ++input) {
    fill(input);
    cross_polytope_rotate(spec, label(), {x, k_size}, {rotated, k_size});
    // The definition: matrix products with (-1)^parity(i AND j), signs bit by bit, floor shifts.
    for (std::uint32_t j = 0; j < k_size; ++j) work[j] = x[j];
    PublicCoins signs{label(), CoinPurpose::rotation};
    for (std::uint32_t round = 0; round < 3; ++round) {
      std::int32_t out[k_size];
      for (std::uint32_t j = 0; j < k_size; ++j) {
        signs.seek((round * k_size + j) >> 3);
        if (((signs.byte() >> (j & 7u)) & 1u) != 0) work[j] = -work[j];
      }
      for (std::uint32_t i = 0; i < k_size; ++i) {
        out[i] = 0;
        for (std::uint32_t j = 0; j < k_size; ++j) out[i] += parity(i & j) != 0 ? -work[j] : work[j];
      }
      for (std::uint32_t j = 0; j < k_size; ++j) work[j] = round < 2 ? out[j] >> 3 : out[j];
    }
    TEST_ASSERT_EQUAL_INT32_ARRAY(work, rotated, k_size);
  }
}

void every_input_has_its_exact_row() {
  for (const std::uint32_t closest : Numbers{1u, 9u, 64u}) {
    const CrossPolytopeSpec spec = spec_of(k_size, closest);
    for (std::uint32_t input = 0; input < k_inputs; ++input) {
      fill(input);
      cross_polytope_rotate(spec, label(), {x, k_size}, {rotated, k_size});
      find_inside(spec);
      expect_channel_row(
          channel(spec), [&](const TwoLevelDraw& d) { return report_from(spec, d); },
          [](std::uint32_t y) { return inside[y]; });
    }
  }
}

void ties_still_give_exactly_k_inside() {
  const CrossPolytopeSpec spec = spec_of(k_size, 9);
  for (const std::int32_t value : Integers{0, 1, -1, 3, -4, 1 << 28, -(1 << 28), 65535 << 2, 65536 << 2}) {
    for (std::int32_t& r : rotated) r = value;
    find_inside(spec);
    expect_channel_row(
        channel(spec), [&](const TwoLevelDraw& d) { return report_from(spec, d); },
        [](std::uint32_t y) { return inside[y]; });
  }
}

void the_report_is_the_function_of_its_draw() {
  const Certified<CrossPolytopeSpec> spec = certified(spec_of(50, 9));
  for (std::uint32_t input = 0; input < k_inputs; ++input) {
    fill(input);
    cross_polytope_rotate(spec.spec(), label(), {x, 50}, {rotated, k_size});
    expect_report_of_draw(
        channel(spec.spec()),
        [&](PrivateCoins& coins) {
          std::uint32_t report = 0;
          expect_status(Status::ok, cross_polytope(spec, label(), {x, 50}, {work, k_size}, coins, report));
          return report;
        },
        [&](const TwoLevelDraw& d) { return report_from(spec.spec(), d); });
  }
}

void words_do_not_depend_on_the_input() {
  const Certified<CrossPolytopeSpec> spec = certified(spec_of(k_size, 9));
  expect_same_words(k_inputs, [&](std::uint32_t input, PrivateCoins& coins) {
    fill(input);
    std::uint32_t report = 0;
    expect_status(Status::ok, cross_polytope(spec, label(), {x, k_size}, {work, k_size}, coins, report));
  });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(spec_of(k_size, 9),
                  [](const Certified<CrossPolytopeSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
                    return cross_polytope(spec, label(), {x, k_size}, {work, k_size}, coins, report);
                  });
  const Certified<CrossPolytopeSpec> spec = certified(spec_of(50, 9));
  BegunCoins coins{1}, twin{1};
  std::uint32_t report = 77;
  for (const std::uint32_t size : Numbers{0u, 49u, 51u, 64u}) {
    expect_status(Status::short_buffer, cross_polytope(spec, label(), {x, size}, {work, k_size}, coins, report));
  }
  expect_status(Status::short_buffer, cross_polytope(spec, label(), {x, 50}, {work, k_size - 1}, coins, report));
  TEST_ASSERT_EQUAL_UINT32(77, report);
  TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());  // nothing was drawn
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(
      CrossPolytopeSpec{.epsilon = 4 * k_epsilon_one, .log2_size = 8, .dimension = 256, .closest = 33});
  for (const std::uint32_t log2_size : Numbers{0u, 5u, 13u, 31u, 32u, ~0u}) {
    CrossPolytopeSpec spec = spec_of(k_size, 9);
    spec.log2_size = log2_size;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  for (const std::uint32_t dimension : Numbers{0u, 1u, 65u, ~0u}) {
    CrossPolytopeSpec spec = spec_of(k_size, 9);
    spec.dimension = dimension;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
  for (const std::uint32_t closest : Numbers{0u, 65u, 128u, ~0u}) {
    CrossPolytopeSpec spec = spec_of(k_size, 9);
    spec.closest = closest;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_rotation_is_the_one_of_the_page);
  RUN_TEST(every_input_has_its_exact_row);
  RUN_TEST(ties_still_give_exactly_k_inside);
  RUN_TEST(the_report_is_the_function_of_its_draw);
  RUN_TEST(words_do_not_depend_on_the_input);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
