// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/sphere_code.hpp"

#include "sotto/analyzer/math/priv_unit.hpp"
#include "sotto/analyzer/propose/sphere_code.hpp"
#include "sotto/codeword.hpp"
#include "vector_aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

SphereCodeSpec spec_of(std::uint32_t dimension, std::uint32_t codewords, std::uint32_t closest = 3) {
  SphereCodeSpec spec{6 * k_epsilon_one, dimension, codewords, closest, 0};
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

TEST(SphereCodeword, is_the_devices_codeword_of_unit_length) {
  for (const std::uint32_t d : {2u, 9u, 16u, 33u, 64u}) {
    const SphereCodeSpec spec = spec_of(d, 4096);
    for (const std::uint32_t report : {0u, 1u, 31u, 32u, 1000u, 4095u}) {
      std::vector<std::int32_t> got(d);
      sphere_codeword_q16(spec, label_of(d), report, got.data());
      PublicCoins coins{label_of(d), CoinPurpose::codewords};
      coins.seek(2 * report * d);
      std::vector<double> u(d);
      double square = 0.0;
      for (double& c : u) {
        c = sphere_coordinate(coins);
        square += c * c;
      }
      for (std::uint32_t j = 0; j < d; ++j) {
        EXPECT_NEAR(got[j], 65536.0 * u[j] / std::sqrt(square), .51) << d << " " << report << " " << j;
      }
    }
  }
}

TEST(SphereCodeAggregate, gives_the_same_bytes_in_any_order) {
  expect_the_same_bytes_in_any_order(SphereCodeAggregate::open(spec_of(9, 1024)).value(), 1024);
  expect_the_same_bytes_in_any_order(SphereCodeAggregate::open(spec_of(64, 100)).value(), 100);
}

TEST(SphereCodeAggregate, adds_up_to_the_plain_mean_and_spread) {
  const SphereCodeSpec spec = spec_of(12, 512);
  SphereCodeAggregate aggregate = SphereCodeAggregate::open(spec).value();
  constexpr std::uint32_t k_reports = 520;
  std::vector<double> sum(12, 0.0), square(12, 0.0);
  const double step = 1.0 / 65536.0 / direction_error(spec).scale;
  for (std::uint32_t i = 1; i <= k_reports; ++i) {
    ASSERT_TRUE(aggregate.absorb(label_of(i), report_of(i, 512)));
    std::int32_t u[12];
    sphere_codeword_q16(spec, label_of(i), report_of(i, 512), u);
    for (std::size_t j = 0; j < 12; ++j) {
      sum[j] += step * u[j];
      square[j] += step * step * u[j] * u[j];
    }
  }
  const VectorMean mean = aggregate.close();
  for (std::size_t j = 0; j < 12; ++j) {
    const double expected = sum[j] / k_reports;
    EXPECT_NEAR(mean.mean[j], expected, 1e-12);
    EXPECT_NEAR(mean.standard_error[j] / std::sqrt((square[j] / k_reports - expected * expected) / (k_reports - 1)),
                1.0, 1e-4);
  }
}

TEST(SphereCodeAggregate, refuses_reports_beyond_the_wire) {
  expect_reports_beyond_the_wire_to_be_refused(SphereCodeAggregate::open(spec_of(9, 1000)).value(), 1000);
}

TEST(SphereCodeAggregate, without_reports_knows_nothing) {
  expect_no_reports_to_have_infinite_errors(SphereCodeAggregate::open(spec_of(9, 64)).value(), 9);
}

TEST(SphereCodeAggregate, comes_back_from_its_bytes_or_refuses_them) {
  const SphereCodeSpec spec = spec_of(9, 64);
  expect_bytes_to_come_back_or_be_refused(
      SphereCodeAggregate::open(spec).value(), 64,
      [&](const std::vector<std::uint8_t>& b) { return SphereCodeAggregate::load(spec, b); });
}

TEST(SphereCodeAggregate, does_not_merge_another_spec) {
  SphereCodeAggregate one = SphereCodeAggregate::open(spec_of(9, 64)).value();
  EXPECT_EQ(one.merge(SphereCodeAggregate::open(spec_of(9, 65)).value()).error().code, "aggregate.other_spec");
}

TEST(ProposeSphereCode, comes_near_priv_unit_and_nearer_with_more_codewords) {
  for (const std::uint32_t d : {9u, 12u, 16u}) {
    for (const std::uint64_t epsilon : {4u, 6u, 8u}) {
      const double best = priv_unit_error(d, static_cast<double>(epsilon));
      double last = 1.10;
      for (const std::uint32_t codewords : {512u, 1024u, 2048u, 4096u}) {
        const double ratio =
            propose_sphere_code(epsilon * k_epsilon_one, d, codewords).value().error.mean_square() / best;
        EXPECT_LT(ratio, last) << d << " " << epsilon << " " << codewords;
        EXPECT_GT(ratio, 1.0) << d << " " << epsilon << " " << codewords;
        last = ratio;
      }
    }
  }
}

TEST(ProposeSphereCode, beats_its_neighbours) {
  const auto best = propose_sphere_code(6 * k_epsilon_one, 9, 1024);
  ASSERT_TRUE(best.ok());
  EXPECT_EQ(best.value().spec.closest, 22u);
  for (const std::uint32_t k : {10u, 21u, 23u, 40u}) {
    EXPECT_GT(direction_error(spec_of(9, 1024, k)).mean_square(), best.value().error.mean_square()) << k;
  }
}

TEST(ProposeSphereCode, refuses_what_no_spec_allows) {
  EXPECT_EQ(propose_sphere_code(0, 9, 1024).error().code, "spec.bad_epsilon");
  EXPECT_EQ(propose_sphere_code(k_epsilon_one, 65, 1024).error().code, "spec.bad_dimension");
  EXPECT_EQ(propose_sphere_code(k_epsilon_one, 9, 4097).error().code, "spec.bad_channel");
}

}  // namespace
}  // namespace sotto::analyzer
