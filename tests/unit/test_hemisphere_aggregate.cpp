// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/hemisphere.hpp"

#include <numbers>

#include "sotto/analyzer/aggregate/public_bytes.hpp"
#include "sotto/codeword.hpp"
#include "vector_aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

HemisphereSpec spec_of(std::uint32_t dimension, EpsilonNano epsilon = k_epsilon_one) {
  HemisphereSpec spec{epsilon, dimension, 0};
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

TEST(PublicBytes, are_those_of_the_public_coins) {
  std::uint8_t bytes[3 * k_bytes_at_once];
  for (const CoinPurpose purpose : {CoinPurpose::rotation, CoinPurpose::codewords}) {
    for (const std::uint32_t first : {0u, 1u, 8191u}) {
      const CoinLabel label{k_seed.data(), 0x0123456789abcdefu, 0xfffe};
      public_bytes(label, purpose, first, 3, bytes);
      PublicCoins coins{label, purpose};
      coins.seek(first * k_public_block_bytes);
      for (const std::uint8_t b : bytes) ASSERT_EQ(b, coins.byte());
    }
  }
}

TEST(HemisphereCodeword, is_the_signed_normal_that_the_device_used) {
  for (const std::uint32_t d : {2u, 63u, 64u, 257u, 512u}) {
    std::vector<std::int8_t> plus(d), minus(d);
    hemisphere_codeword(spec_of(d), label_of(d), 1, plus.data());
    hemisphere_codeword(spec_of(d), label_of(d), 0, minus.data());
    PublicCoins normal{label_of(d), CoinPurpose::codewords};
    for (std::uint32_t j = 0; j < d; ++j) {
      const std::int32_t u = hemisphere_coordinate(normal);
      ASSERT_EQ(plus[j], u);
      ASSERT_EQ(minus[j], -u);
    }
  }
}

TEST(HemisphereAggregate, scales_by_the_exact_threshold) {
  const HemisphereSpec spec = spec_of(5);
  HemisphereAggregate aggregate = HemisphereAggregate::open(spec).value();
  std::int8_t u[5];
  ASSERT_TRUE(aggregate.absorb(label_of(3), 0));
  hemisphere_codeword(spec, label_of(3), 0, u);
  const double p = spec.threshold / 4294967296.0;
  const double c = std::sqrt(std::numbers::pi / 2.0) / (std::sqrt(1253.75) * (2.0 * p - 1.0));
  const VectorMean mean = aggregate.close();
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(mean.mean[j], c * u[j], 1e-12);
}

TEST(HemisphereError, has_the_tabled_values) {
  struct Row {
    std::uint32_t dimension;
    double epsilon, error;
  };
  constexpr Row k_rows[] = {{8, .5, 208.5}, {16, 1, 116.7}, {64, .5, 1675},
                            {64, 4, 107.2}, {256, 1, 1882}, {256, 8, 402}};
  for (const Row& row : k_rows) {
    const auto spec = spec_of(row.dimension, static_cast<EpsilonNano>(row.epsilon * 1e9));
    EXPECT_NEAR(direction_error(spec).mean_square() / row.error, 1.0, .001) << row.dimension << " " << row.epsilon;
  }
}

TEST(HemisphereAggregate, gives_the_same_bytes_in_any_order) {
  for (const std::uint32_t d : {2u, 64u, 300u}) {
    expect_the_same_bytes_in_any_order(HemisphereAggregate::open(spec_of(d)).value(), 2);
  }
}

TEST(HemisphereAggregate, refuses_reports_beyond_the_wire) {
  expect_reports_beyond_the_wire_to_be_refused(HemisphereAggregate::open(spec_of(9)).value(), 2);
}

TEST(HemisphereAggregate, without_reports_knows_nothing) {
  expect_no_reports_to_have_infinite_errors(HemisphereAggregate::open(spec_of(9)).value(), 9);
}

TEST(HemisphereAggregate, comes_back_from_its_bytes_or_refuses_them) {
  const HemisphereSpec spec = spec_of(9);
  expect_bytes_to_come_back_or_be_refused(
      HemisphereAggregate::open(spec).value(), 2,
      [&](const std::vector<std::uint8_t>& b) { return HemisphereAggregate::load(spec, b); });
}

TEST(HemisphereAggregate, does_not_merge_another_spec) {
  HemisphereAggregate one = HemisphereAggregate::open(spec_of(9)).value();
  EXPECT_EQ(one.merge(HemisphereAggregate::open(spec_of(9, 2 * k_epsilon_one)).value()).error().code,
            "aggregate.other_spec");
}

TEST(HemisphereAggregate, refuses_a_spec_that_a_device_would_refuse) {
  EXPECT_EQ(HemisphereAggregate::open({k_epsilon_one, 513, 1}).error().code, "spec.bad_dimension");
  EXPECT_EQ(HemisphereAggregate::open({k_epsilon_one, 9, 0}).error().code, "spec.overspent");
}

}  // namespace
}  // namespace sotto::analyzer
