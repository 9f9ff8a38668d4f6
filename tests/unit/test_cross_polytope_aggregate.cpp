// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/cross_polytope.hpp"

#include "sotto/analyzer/propose/cross_polytope.hpp"
#include "sotto/hadamard.hpp"
#include "sotto/randomize/cross_polytope.hpp"
#include "vector_aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

CrossPolytopeSpec spec_of(std::uint32_t log2_size, std::uint32_t dimension, std::uint32_t closest = 9) {
  CrossPolytopeSpec spec{4 * k_epsilon_one, log2_size, dimension, closest, 0};
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

/// The definition: the transpose of the device's three rounds, one sign and one transform at a time.
std::vector<std::int32_t> plain_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report) {
  const std::uint32_t size = std::uint32_t{1} << spec.log2_size;
  std::vector<std::int32_t> y(size, 0), sign(3 * size);
  PublicCoins coins{label, CoinPurpose::rotation};
  for (std::uint32_t i = 0; i < 3 * size; i += 8) {
    const std::uint8_t bits = coins.byte();
    for (std::uint32_t b = 0; b < 8; ++b) sign[i + b] = ((bits >> b) & 1) != 0 ? -1 : 1;
  }
  y[report >> 1] = (report & 1u) != 0 ? -1 : 1;
  for (std::uint32_t round = 3; round-- > 0;) {
    hadamard_wrap(y.data(), size);
    for (std::uint32_t j = 0; j < size; ++j) y[j] *= sign[round * size + j];
  }
  return y;
}

TEST(CrossPolytopeCodeword, is_the_plain_transpose_of_the_rotation) {
  for (std::uint32_t m = 6; m <= 12; ++m) {
    const CrossPolytopeSpec spec = spec_of(m, 2);
    const std::uint32_t size = std::uint32_t{1} << m;
    for (std::uint64_t i = 1; i <= 30; ++i) {
      const std::uint32_t report = report_of(i, 2 * size);
      const std::vector<std::int32_t> plain = plain_codeword(spec, label_of(i), report);
      std::vector<std::int32_t> wide(size);
      cross_polytope_codeword(spec, label_of(i), report, wide.data());
      EXPECT_EQ(wide, plain) << "m " << m << " report " << report;
      if (m > k_narrow_log2_size) continue;
      std::vector<std::int16_t> narrow(size);
      cross_polytope_codeword(spec, label_of(i), report, narrow.data());
      EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), plain.begin())) << "m " << m << " report " << report;
    }
  }
}

TEST(CrossPolytopeCodeword, has_the_length_that_the_scaling_assumes) {
  for (std::uint32_t m = 6; m <= 12; ++m) {
    std::vector<std::int32_t> codeword(std::size_t{1} << m);
    cross_polytope_codeword(spec_of(m, 2), label_of(m), 5, codeword.data());
    std::int64_t square = 0;
    for (const std::int64_t c : codeword) square += c * c;
    EXPECT_EQ(square, std::int64_t{1} << (3 * m));
  }
}

TEST(CrossPolytopeCodeword, reads_the_coordinate_that_the_device_rotated) {
  for (std::uint32_t m = 6; m <= 9; ++m) {
    const std::uint32_t size = std::uint32_t{1} << m;
    const CrossPolytopeSpec spec = spec_of(m, size);
    std::vector<Q15> x(size);
    for (std::uint32_t j = 0; j < size; ++j) x[j] = static_cast<Q15>(static_cast<int>(report_of(j + 1, 8001)) - 4000);
    std::vector<std::int32_t> rotated(size), codeword(size);
    cross_polytope_rotate(spec, label_of(9), x, rotated);
    for (std::uint32_t j = 0; j < size; j += 7) {
      cross_polytope_codeword(spec, label_of(9), 2 * j, codeword.data());
      std::int64_t product = 0;
      for (std::uint32_t i = 0; i < size; ++i) product += std::int64_t{codeword[i]} * x[i];
      // The device drops m/2 bits after two of the rounds, and with them at most D twice.
      const std::int64_t kept = std::int64_t{rotated[j]} << (2 * (m >> 1));
      EXPECT_LE(std::abs(kept - product), 2 * (std::int64_t{size} << (2 * (m >> 1)))) << "m " << m << " j " << j;
    }
  }
}

TEST(CrossPolytopeAggregate, gives_the_same_bytes_in_any_order) {
  for (const std::uint32_t m : {6u, 8u, 9u, 10u}) {
    expect_the_same_bytes_in_any_order(CrossPolytopeAggregate::open(spec_of(m, 50)).value(), std::uint32_t{2} << m);
  }
}

TEST(CrossPolytopeAggregate, adds_up_to_the_plain_mean_and_spread) {
  for (const std::uint32_t m : {6u, 8u, 11u}) {
    const CrossPolytopeSpec spec = spec_of(m, 40);
    CrossPolytopeAggregate aggregate = CrossPolytopeAggregate::open(spec).value();
    constexpr std::uint32_t k_reports = 520;
    std::vector<double> sum(40, 0.0), square(40, 0.0);
    const double step = std::pow(2.0, -1.5 * m) / direction_error(spec).scale;
    for (std::uint32_t i = 1; i <= k_reports; ++i) {
      const std::uint32_t report = report_of(i, std::uint32_t{2} << m);
      ASSERT_TRUE(aggregate.absorb(label_of(i), report));
      const std::vector<std::int32_t> codeword = plain_codeword(spec, label_of(i), report);
      for (std::size_t j = 0; j < 40; ++j) {
        sum[j] += step * codeword[j];
        square[j] += step * step * codeword[j] * codeword[j];
      }
    }
    const VectorMean mean = aggregate.close();
    for (std::size_t j = 0; j < 40; ++j) {
      const double expected = sum[j] / k_reports;
      EXPECT_NEAR(mean.mean[j], expected, 1e-12);
      const double error = std::sqrt((square[j] / k_reports - expected * expected) / (k_reports - 1));
      EXPECT_NEAR(mean.standard_error[j] / error, 1.0, 2e-4);  // cut squares
    }
  }
}

TEST(CrossPolytopeAggregate, refuses_reports_beyond_the_wire) {
  expect_reports_beyond_the_wire_to_be_refused(CrossPolytopeAggregate::open(spec_of(6, 9)).value(), 128);
}

TEST(CrossPolytopeAggregate, without_reports_knows_nothing) {
  expect_no_reports_to_have_infinite_errors(CrossPolytopeAggregate::open(spec_of(6, 9)).value(), 9);
}

TEST(CrossPolytopeAggregate, comes_back_from_its_bytes_or_refuses_them) {
  const CrossPolytopeSpec spec = spec_of(6, 9);
  expect_bytes_to_come_back_or_be_refused(
      CrossPolytopeAggregate::open(spec).value(), 128,
      [&](const std::vector<std::uint8_t>& b) { return CrossPolytopeAggregate::load(spec, b); });
}

TEST(CrossPolytopeAggregate, does_not_merge_another_spec) {
  CrossPolytopeAggregate one = CrossPolytopeAggregate::open(spec_of(6, 9)).value();
  EXPECT_EQ(one.merge(CrossPolytopeAggregate::open(spec_of(6, 9, 8)).value()).error().code, "aggregate.other_spec");
  EXPECT_EQ(CrossPolytopeAggregate::load(spec_of(6, 9, 8), bytes_of(one)).error().code, "aggregate.other_spec");
}

TEST(CrossPolytopeAggregate, refuses_a_spec_that_a_device_would_refuse) {
  CrossPolytopeSpec spec = spec_of(6, 9);
  spec.threshold += 1;
  EXPECT_EQ(CrossPolytopeAggregate::open(spec).error().code, "spec.overspent");
}

struct Row {
  double epsilon;
  std::uint32_t log2_size, closest;
  double inverse_scale;
  std::uint32_t threshold;
};

TEST(ProposeCrossPolytope, finds_the_tabled_constants) {
  constexpr Row k_rows[] = {
      {.5, 6, 54, 40.0537, 2345474990}, {.5, 7, 108, 56.7084, 2345474990}, {.5, 8, 216, 80.2427, 2345474990},
      {1, 6, 45, 20.1108, 2558762208},  {1, 7, 89, 28.4526, 2540963786},   {1, 8, 177, 40.2468, 2532008365},
      {2, 6, 28, 10.1884, 2895469976},  {2, 7, 56, 14.3974, 2895469976},   {2, 8, 111, 20.3523, 2884630970},
      {4, 6, 9, 5.33012, 3457622850},   {4, 7, 17, 7.50085, 3415490905},   {4, 8, 33, 10.5827, 3392939760},
      {6, 6, 2, 3.81394, 3714851009},   {6, 7, 4, 5.31147, 3714851009},    {6, 8, 8, 7.45057, 3714851009},
      {8, 6, 1, 3.20137, 4119462720},   {8, 7, 1, 4.33649, 3956515231},    {8, 8, 2, 6.00117, 3956515231}};
  for (const Row& row : k_rows) {
    const auto epsilon = static_cast<EpsilonNano>(row.epsilon * 1e9);
    const auto best = propose_cross_polytope(epsilon, row.log2_size, std::uint32_t{1} << row.log2_size);
    ASSERT_TRUE(best.ok());
    EXPECT_EQ(best.value().spec.closest, row.closest) << row.epsilon << " " << row.log2_size;
    EXPECT_NEAR(1.0 / best.value().error.scale / row.inverse_scale, 1.0, 1e-5) << row.epsilon << " " << row.log2_size;
    // The table's thresholds use the exact exponential, the device's a bound of it with relative error below 2^-36.
    EXPECT_LE(best.value().spec.threshold, row.threshold);
    EXPECT_GE(best.value().spec.threshold, row.threshold - 1) << row.epsilon << " " << row.log2_size;
    const double scale = best.value().error.scale;
    EXPECT_NEAR(best.value().error.mean_square(), 1.0 / (scale * scale) - 1.0, 1e-6) << "a unit codeword, whole";
  }
}

TEST(ProposeCrossPolytope, knows_what_padding_costs) {
  // At dimension 9, D = 64, 128, 256.
  const double four[] = {3.82, 3.88, 3.90}, eight[] = {1.23, 1.22, 1.21};
  for (std::uint32_t m = 6; m <= 8; ++m) {
    EXPECT_NEAR(propose_cross_polytope(4 * k_epsilon_one, m, 9).value().error.mean_square(), four[m - 6], .025) << m;
    EXPECT_NEAR(propose_cross_polytope(8 * k_epsilon_one, m, 9).value().error.mean_square(), eight[m - 6], .012) << m;
  }
}

TEST(ProposeCrossPolytope, finds_the_best_of_all_k) {
  TopSums top{{ScoreLaw::Kind::absolute_normal}, 64};
  for (const std::uint32_t dimension : {2u, 9u, 40u, 64u}) {
    for (const std::uint64_t epsilon : {1u, 2u, 4u, 6u, 8u, 12u}) {
      double least = 1e300;
      for (std::uint32_t k = 1; k <= 64; ++k) {
        CrossPolytopeSpec spec{epsilon * k_epsilon_one, 6, dimension, k, 0};
        ASSERT_EQ(derive(spec), Status::ok);
        least = std::min(least, direction_error(spec, top).mean_square());
      }
      const auto best = propose_cross_polytope(epsilon * k_epsilon_one, 6, dimension);
      EXPECT_NEAR(best.value().error.mean_square() / least, 1.0, 1e-9) << dimension << " " << epsilon;
    }
  }
}

TEST(ProposeCrossPolytope, refuses_what_no_spec_allows) {
  EXPECT_EQ(propose_cross_polytope(0, 6, 9).error().code, "spec.bad_epsilon");
  EXPECT_EQ(propose_cross_polytope(13 * k_epsilon_one, 6, 9).error().code, "spec.bad_epsilon");
  EXPECT_EQ(propose_cross_polytope(k_epsilon_one, 5, 9).error().code, "spec.bad_channel");
  EXPECT_EQ(propose_cross_polytope(k_epsilon_one, 6, 65).error().code, "spec.bad_dimension");
}

}  // namespace
}  // namespace sotto::analyzer
