// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/gaussian.hpp"

#include "sotto/arithmetic/norm_clip.hpp"
#include "sotto/spec/gaussian_points.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

constexpr DeltaUnits k_delta = k_gaussian_points[1].delta;  // 10^-6

GaussianSpec scalar() {
  return derived(GaussianSpec{.epsilon = 2 * k_epsilon_one, .delta = k_delta, .radius = 16, .dimension = 1});
}
GaussianSpec vector() {
  return derived(GaussianSpec{.epsilon = 2 * k_epsilon_one, .delta = k_delta, .radius = 16, .dimension = 4});
}

void a_scalar_report_is_the_clipped_value_plus_noise() {
  const Certified<GaussianSpec> spec = certified(scalar());
  for (const std::int32_t value : Integers{0, 5, -16, 16, 17, -17, 1000000, 2147483647, -2147483647 - 1}) {
    const std::int32_t clipped = value < -16 ? -16 : value > 16 ? 16 : value;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      BegunCoins coins{seed}, twin{seed};
      std::int32_t report = value;
      expect_status(Status::ok, gaussian(spec, {&report, 1}, coins));
      TEST_ASSERT_EQUAL_INT32(clipped + discrete_gaussian(twin, spec.spec().variance), report);
      TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());  // the words depend on the noise alone
    }
  }
}

void a_vector_is_clipped_to_the_ball_before_the_noise() {
  const Certified<GaussianSpec> spec = certified(vector());
  const std::int32_t inputs[][4] = {{0, 0, 0, 0}, {8, -8, 8, -8}, {16, 16, 16, 16}, {3000, -4000, 0, 1}, {16, 0, 0, 1}};
  for (const auto& input : inputs) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      BegunCoins coins{seed}, twin{seed};
      std::int32_t report[4], expected[4];
      for (int j = 0; j < 4; ++j) report[j] = expected[j] = input[j];
      norm_clip(expected, 16);
      for (std::int32_t& e : expected) e += discrete_gaussian(twin, spec.spec().variance);
      expect_status(Status::ok, gaussian(spec, report, coins));
      TEST_ASSERT_EQUAL_INT32_ARRAY(expected, report, 4);
      TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());
    }
  }
}

void the_largest_integers_are_answered_too() {
  const Certified<GaussianSpec> spec = certified(vector());
  std::int32_t values[4] = {2147483647, -2147483647 - 1, 2147483647, -2147483647 - 1};
  BegunCoins coins{1};
  expect_status(Status::ok, gaussian(spec, values, coins));
  // Each coordinate is 8 in size; the noise has a standard deviation of 74, and never 65 of them.
  for (const std::int32_t v : values) TEST_ASSERT_INT32_WITHIN(5000, 0, v);
}

void refusals_are_named_and_leave_the_values_alone() {
  expect_refusals(scalar(), [](const Certified<GaussianSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    auto value = static_cast<std::int32_t>(report);
    const Status status = gaussian(spec, {&value, 1}, coins);
    report = static_cast<std::uint32_t>(value);
    return status;
  });
  const Certified<GaussianSpec> spec = certified(vector());
  std::int32_t values[5] = {1, 2, 3, 4, 5};
  BegunCoins coins{1}, twin{1};
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{5}}) {
    expect_status(Status::short_buffer, gaussian(spec, {values, size}, coins));
  }
  for (std::int32_t j = 0; j < 5; ++j) TEST_ASSERT_EQUAL_INT32(j + 1, values[j]);
  TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());
}

void every_certified_point_is_certified_and_a_smaller_variance_is_not() {
  for (const GaussianPoint& p : k_gaussian_points) {
    for (const std::uint32_t dimension : Numbers{1u, 4u}) {
      GaussianSpec spec =
          derived(GaussianSpec{.epsilon = p.epsilon_nano, .delta = p.delta, .radius = 16, .dimension = dimension});
      expect_certify(Status::ok, spec, p.epsilon_nano);
      expect_certify(Status::over_cap, spec, p.epsilon_nano - 1);
      --spec.variance;
      expect_certify(Status::overspent, spec, k_epsilon_max);
    }
  }
}

void pairs_that_nobody_certified_are_refused() {
  GaussianSpec spec = vector();
  ++spec.delta;
  expect_certify(Status::uncertified_point, spec, k_epsilon_max);
  spec = vector();
  ++spec.epsilon;
  expect_certify(Status::uncertified_point, spec, k_epsilon_max);
  expect_status(Status::uncertified_point, derive(spec));
}

void bad_specs_are_not_certified() {
  for (const EpsilonNano epsilon : {EpsilonNano{0}, k_epsilon_max + 1}) {
    GaussianSpec spec = vector();
    spec.epsilon = epsilon;
    expect_certify(Status::bad_epsilon, spec, ~EpsilonNano{0});
  }
  for (const std::uint32_t dimension : Numbers{0u, 4097u, ~0u}) {
    GaussianSpec spec = vector();
    spec.dimension = dimension;
    expect_certify(Status::bad_dimension, spec, k_epsilon_max);
  }
  for (const std::uint32_t radius : Numbers{0u, 513u, ~0u}) {
    GaussianSpec spec = vector();
    spec.radius = radius;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  for (const std::uint32_t variance : Numbers{0u, (1u << 25) + 1, ~0u}) {
    GaussianSpec spec = vector();
    spec.variance = variance;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_scalar_report_is_the_clipped_value_plus_noise);
  RUN_TEST(a_vector_is_clipped_to_the_ball_before_the_noise);
  RUN_TEST(the_largest_integers_are_answered_too);
  RUN_TEST(refusals_are_named_and_leave_the_values_alone);
  RUN_TEST(every_certified_point_is_certified_and_a_smaller_variance_is_not);
  RUN_TEST(pairs_that_nobody_certified_are_refused);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}
