// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/walsh_hash.hpp"

#include <array>
#include <cmath>

#include "aggregate_checks.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {1, 2, 3, 4, 5, 6, 7, 8, 9};

WalshHashSpec spec_of(std::uint32_t categories, std::uint32_t bits) {
  return derived(WalshHashSpec{k_epsilon_one, categories, bits, 0});
}
CoinLabel label_of(std::uint64_t pseudonym) { return {k_seed.data(), pseudonym, 3}; }

TEST(WalshHashAggregate, a_report_supports_exactly_the_categories_that_the_device_hashes_to_it) {
  for (const std::uint32_t bits : {1u, 2u, 3u, 6u, 12u}) {
    const WalshHashSpec spec = spec_of(37, bits);
    const double g = std::ldexp(1.0, static_cast<int>(bits)), p = std::ldexp(spec.threshold, -32);
    for (std::uint64_t pseudonym = 1; pseudonym <= 40; ++pseudonym) {
      const std::uint32_t report = walsh_hash_of(spec, label_of(pseudonym), static_cast<std::uint32_t>(pseudonym % 37));
      auto a = WalshHashAggregate::open(spec).value();
      ASSERT_TRUE(a.absorb(label_of(pseudonym), report));
      const CategoryCounts c = a.close();
      for (std::uint32_t v = 0; v < 37; ++v) {
        const double support = (walsh_hash_of(spec, label_of(pseudonym), v) == report ? g : 0) - 1;
        ASSERT_NEAR(c.count[v] * (g * p - 1), support, 1e-9) << bits << " bits, category " << v;
      }
    }
  }
}

TEST(WalshHashAggregate, many_reports_are_absorbed_like_one_at_a_time) {
  const WalshHashSpec spec = spec_of(1000, 4);
  auto one = WalshHashAggregate::open(spec).value(), many = one;
  std::vector<CoinReport> reports;
  for (std::uint32_t i = 0; i < 1003; ++i) reports.push_back({std::uint64_t{i} << 30, i * i % 17});
  for (const CoinReport& r : reports) static_cast<void>(one.absorb(label_of(r.pseudonym), r.report));
  EXPECT_GT(one.sums().refused(), 0u);
  EXPECT_EQ(many.absorb(k_seed.data(), 3, reports), one.sums().used());
  EXPECT_EQ(saved(many), saved(one));
}

TEST(WalshHashAggregate, a_report_wider_than_its_bits_is_counted_and_not_used) {
  auto a = WalshHashAggregate::open(spec_of(16, 2)).value();
  EXPECT_TRUE(a.absorb(label_of(1), 3));
  EXPECT_FALSE(a.absorb(label_of(2), 4));
  EXPECT_FALSE(a.absorb(label_of(3), ~0u));
  EXPECT_EQ(a.close().used, 1u);
  EXPECT_EQ(a.close().refused, 2u);
}

TEST(WalshHashAggregate, order_and_grouping_never_change_the_bytes) {
  expect_any_order_gives_the_same_bytes(
      WalshHashAggregate::open(spec_of(100, 3)).value(), 300,
      [](WalshHashAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(label_of(i), i * i % 9)); });
}

TEST(WalshHashAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = WalshHashAggregate::open(spec_of(6, 2)).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(label_of(i), i % 5));
  expect_total_loading(spec_of(6, 2), a);
}

TEST(WalshHashAggregate, another_spec_is_refused) {
  const WalshHashSpec spec = spec_of(6, 2);
  expect_another_spec_is_refused(WalshHashAggregate::open(spec).value(), spec,
                                 WalshHashAggregate::open(spec_of(6, 3)).value());
}

TEST(WalshHashAggregate, a_bad_spec_opens_nothing) {
  expect_refused(WalshHashAggregate::open({k_epsilon_one, 1, 2, 1}), "spec.bad_dimension");
  expect_refused(WalshHashAggregate::open({k_epsilon_one, 16, 13, 1}), "spec.bad_channel");
  expect_refused(WalshHashAggregate::open({k_epsilon_one, 16, 2, 1}), "spec.overspent");
  expect_refused(WalshHashAggregate::open({k_epsilon_one, 16, 1, 1u << 31}), "spec.no_information");
}

}  // namespace
}  // namespace sotto::analyzer
