// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/direction.hpp"

#include <gtest/gtest.h>

namespace sotto::analyzer {
namespace {

constexpr DeviceWork k_any{~std::uint64_t{0}, ~std::uint32_t{0}};

DirectionProposal proposal(std::uint64_t epsilon, std::uint32_t dimension, const DeviceWork& most = k_any) {
  return propose_direction(epsilon * k_epsilon_one, dimension, most).value();
}

TEST(ProposeDirection, takes_a_sphere_code_in_few_dimensions) {
  for (const std::uint32_t d : {9u, 12u, 16u}) {
    for (const std::uint64_t epsilon : {4u, 6u, 8u}) {
      const DirectionProposal best = proposal(epsilon, d);
      EXPECT_TRUE(std::holds_alternative<SphereCodeSpec>(best.spec)) << d << " " << epsilon;
      EXPECT_LE(best.over_priv_unit, 1.10);
    }
  }
}

TEST(ProposeDirection, takes_a_cross_polytope_in_many_dimensions) {
  for (const std::uint32_t d : {128u, 256u, 1000u}) {
    const DirectionProposal best = proposal(4, d);
    ASSERT_TRUE(std::holds_alternative<CrossPolytopeSpec>(best.spec)) << d;
    EXPECT_GE(std::uint32_t{1} << std::get<CrossPolytopeSpec>(best.spec).log2_size, d);
    EXPECT_LE(best.over_priv_unit, 1.02) << d;
  }
}

TEST(ProposeDirection, pads_further_at_a_large_epsilon) {
  const DirectionProposal best = proposal(8, 64);
  EXPECT_LE(best.over_priv_unit, 1.08);  // cross_polytope at D = 64 is 16 per cent off
}

TEST(ProposeDirection, falls_back_to_one_bit_on_a_weak_device) {
  const DirectionProposal best = proposal(4, 256, {20'000, 0});
  EXPECT_TRUE(std::holds_alternative<HemisphereSpec>(best.spec));
  EXPECT_EQ(best.payload_bits, 1u);
}

TEST(ProposeDirection, stays_within_the_devices_means) {
  for (const std::uint64_t most : {5'000u, 50'000u, 500'000u, 5'000'000u}) {
    const auto best = propose_direction(4 * k_epsilon_one, 16, {most, 1 << 16});
    ASSERT_TRUE(best.ok());
    EXPECT_LE(best.value().work.instructions, most);
  }
}

TEST(ProposeDirection, never_gets_worse_with_more_work) {
  double last = 1e9;
  for (const std::uint64_t most : {5'000u, 50'000u, 500'000u, 5'000'000u}) {
    const double error = proposal(6, 16, {most, 1 << 16}).error.mean_square();
    EXPECT_LE(error, last * 1.01);
    last = error;
  }
}

TEST(ProposeDirection, refuses_what_nothing_can_do) {
  EXPECT_EQ(propose_direction(k_epsilon_one, 16, {10, 0}).error().code, "direction.too_little_work");
  EXPECT_EQ(propose_direction(0, 16, k_any).error().code, "spec.bad_epsilon");
  EXPECT_EQ(propose_direction(k_epsilon_one, 1, k_any).error().code, "spec.bad_dimension");
  EXPECT_EQ(propose_direction(k_epsilon_one, 4097, k_any).error().code, "spec.bad_dimension");
}

}  // namespace
}  // namespace sotto::analyzer
