// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/block.hpp"

#include <bit>

#include "sotto/analyzer/propose/block.hpp"
#include "vector_aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

BlockSpec spec_of(std::uint32_t width, std::uint32_t flips, EpsilonNano epsilon = 2 * k_epsilon_one) {
  BlockSpec spec{epsilon, width, flips, 0};
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

TEST(BlockAgreement, is_that_of_the_enumerated_channel) {
  for (std::uint32_t width = 1; width <= 10; ++width) {
    for (std::uint32_t flips = 0; flips < width; ++flips) {
      const BlockSpec spec = spec_of(width, flips);
      const TwoLevel c = channel(spec);
      const double p = c.threshold / 4294967296.0;
      double agreement = 0.0;
      for (std::uint32_t pattern = 0; pattern < c.outcomes; ++pattern) {
        const auto flipped = static_cast<std::uint32_t>(std::popcount(pattern));
        const double probability = flipped <= flips ? p / c.inside : (1.0 - p) / (c.outcomes - c.inside);
        agreement += probability * (1.0 - 2.0 * flipped / width);
      }
      EXPECT_NEAR(block_agreement(spec), agreement, 1e-12) << width << " " << flips;
    }
  }
}

TEST(BlockAggregate, counts_signs_where_the_block_lies) {
  const BlockSpec spec = spec_of(3, 0);
  BlockAggregate aggregate = BlockAggregate::open(spec, 40).value();
  ASSERT_TRUE(aggregate.absorb(label_of(4), 0b101));
  std::array<std::uint32_t, 3> held;
  block_coordinates(label_of(4), 40, held);
  const VectorMean mean = aggregate.close();
  const double one = 1.0 / block_agreement(spec);
  for (std::uint32_t j = 0; j < 40; ++j) {
    if (j == held[0] || j == held[2]) {
      EXPECT_DOUBLE_EQ(mean.mean[j], -one);
    } else if (j == held[1]) {
      EXPECT_DOUBLE_EQ(mean.mean[j], one);
    } else {
      EXPECT_EQ(mean.mean[j], 0.0);
      EXPECT_TRUE(std::isinf(mean.standard_error[j]));
    }
  }
}

TEST(BlockAggregate, gives_the_same_bytes_in_any_order) {
  expect_the_same_bytes_in_any_order(BlockAggregate::open(spec_of(4, 1), 100).value(), 16);
  expect_the_same_bytes_in_any_order(BlockAggregate::open(spec_of(24, 5), 24).value(), 1u << 24);
}

TEST(BlockAggregate, refuses_reports_beyond_the_wire) {
  expect_reports_beyond_the_wire_to_be_refused(BlockAggregate::open(spec_of(4, 0), 9).value(), 16);
}

TEST(BlockAggregate, without_reports_knows_nothing) {
  expect_no_reports_to_have_infinite_errors(BlockAggregate::open(spec_of(4, 0), 9).value(), 9);
}

TEST(BlockAggregate, comes_back_from_its_bytes_or_refuses_them) {
  const BlockSpec spec = spec_of(4, 0);
  expect_bytes_to_come_back_or_be_refused(
      BlockAggregate::open(spec, 9).value(), 16,
      [&](const std::vector<std::uint8_t>& b) { return BlockAggregate::load(spec, 9, b); });
}

TEST(BlockAggregate, does_not_merge_another_spec_or_another_number_of_coordinates) {
  BlockAggregate one = BlockAggregate::open(spec_of(4, 0), 9).value();
  EXPECT_EQ(one.merge(BlockAggregate::open(spec_of(4, 1), 9).value()).error().code, "aggregate.other_spec");
  EXPECT_EQ(one.merge(BlockAggregate::open(spec_of(4, 0), 10).value()).error().code, "aggregate.other_spec");
}

TEST(BlockAggregate, one_report_is_no_certain_answer) {
  const BlockSpec spec = propose_block(4 * k_epsilon_one).value().spec;
  BlockAggregate aggregate = BlockAggregate::open(spec, spec.width).value();
  const Digest seed{};
  ASSERT_TRUE(aggregate.absorb({seed.data(), 1, 1}, 0));
  const double agreement = block_agreement(spec);
  for (const double error : aggregate.close().noise_error)
    EXPECT_NEAR(error, std::sqrt(1 / (agreement * agreement) - 1), 1e-12);
}

TEST(BlockAggregate, refuses_fewer_coordinates_than_a_block_has) {
  EXPECT_EQ(BlockAggregate::open(spec_of(4, 0), 3).error().code, "spec.bad_dimension");
  EXPECT_EQ(BlockAggregate::open(spec_of(4, 0), (1u << 24) + 1).error().code, "spec.bad_dimension");
}

struct Row {
  double epsilon;
  std::uint32_t width, flips;
  double agreement;
};

TEST(ProposeBlock, finds_the_tabled_blocks) {
  constexpr Row k_rows[] = {{.5, 1, 0, .2449}, {1, 1, 0, .4621}, {2, 2, 0, .6150}, {4, 4, 0, .7701}, {8, 24, 5, .5509}};
  for (const Row& row : k_rows) {
    const auto best = propose_block(static_cast<EpsilonNano>(row.epsilon * 1e9));
    ASSERT_TRUE(best.ok());
    EXPECT_EQ(best.value().spec.width, row.width) << row.epsilon;
    EXPECT_EQ(best.value().spec.flips, row.flips) << row.epsilon;
    EXPECT_NEAR(best.value().agreement, row.agreement, 6e-5) << row.epsilon;
  }
}

TEST(ProposeBlock, refuses_what_no_spec_allows) {
  EXPECT_EQ(propose_block(0).error().code, "spec.bad_epsilon");
  EXPECT_EQ(propose_block(k_epsilon_one, 25).error().code, "spec.bad_channel");
}

}  // namespace
}  // namespace sotto::analyzer
