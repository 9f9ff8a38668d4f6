// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sotto/analyzer/accountant/calibrate.hpp"
#include "sotto/analyzer/audit/confidence.hpp"
#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/central/grid_sum.hpp"
#include "sotto/analyzer/central/moments.hpp"
#include "sotto/analyzer/central/prepare.hpp"
#include "src/central/moment_sums.hpp"

namespace sotto::analyzer::central {
namespace {

constexpr float k_largest = std::numeric_limits<float>::max();

/// Rows that somebody made up: enormous, tiny, of either sign, at the ends of places, all zero.
std::vector<float> nasty_values() {
  return {0, -0.0f, 1,    -1,      2,        1.99999988f, 0x1p-20f,   0x1.fffffep-21f, -0x1p-20f,
          3, 7e20f, -1e9, 0x1p40f, -0x1p39f, k_largest,   -k_largest, 1e-45f,          0.3f};
}

TEST(CentralMoments, every_number_has_one_place_and_lies_in_its_range) {
  std::uint32_t last = 0;
  std::vector<float> values = nasty_values();
  for (int e = -22; e < 42; ++e) {
    for (const double m : {1.0, 1.03125, 1.5, 1.984375}) {
      values.push_back(static_cast<float>(std::ldexp(m, e)));
      values.push_back(static_cast<float>(-std::ldexp(m, e)));
    }
  }
  std::sort(values.begin(), values.end());
  for (const float v : values) {
    const std::uint32_t at = place_of(v);
    ASSERT_LT(at, k_places);
    EXPECT_GE(at, last) << "places rise with values: " << v;
    last = at;
    const ColumnRange range = range_of_places(at, at);
    if (std::abs(v) >= 0x1p-20f && std::abs(v) < 0x1p40f) {
      EXPECT_LE(range.low, v);
      EXPECT_GE(range.high, v);
    }
    const std::size_t octave = octave_of(at);
    const ColumnRange wide = range_of_octaves(octave, octave);
    EXPECT_LE(wide.low, range.low);
    EXPECT_GE(wide.high, range.high);
  }
  EXPECT_EQ(octave_of(k_zero_place), k_zero_octave);
  EXPECT_EQ(octave_of(0), 0u);
  EXPECT_EQ(octave_of(k_places - 1), k_octaves - 1);
}

/// The squared length of what one row adds to a sum, in exact integers.
template <class Add>
double squared(std::size_t size, Add add) {
  std::vector<std::int64_t> sum(size);
  add(std::span(sum));
  long double square =
      0;  // of integers below 2^31: exact in 64 bits of mantissa up to rounding that the margin below allows for
  for (const std::int64_t v : sum) square += static_cast<long double>(v) * static_cast<long double>(v);
  return static_cast<double>(square);
}

TEST(CentralMoments, no_row_moves_a_sum_by_more_than_the_grid_says) {
  for (const std::size_t columns : {std::size_t{1}, std::size_t{18}, std::size_t{1000}}) {
    for (const auto& [z, is_equal] : {std::pair{0.5, false}, {3.7, true}, {40.0, false}, {40.0, true}}) {
      const NoiseGrid grid = noise_grid(z, 1, Adjacency::add_remove);
      const double most = static_cast<double>(grid.longest_row) * static_cast<double>(grid.longest_row);
      std::vector<float> row;
      while (row.size() < columns)
        for (const float v : nasty_values()) row.push_back(v);
      row.resize(columns);
      if (is_equal) std::fill(row.begin(), row.end(), -7e20f);  // all in one octave, all at the end of their range
      if (!is_equal && z > 1) std::fill(row.begin(), row.end(), std::numeric_limits<float>::quiet_NaN());  // missing
      const ColumnTable one(row, columns, Transform::none);
      std::vector<std::uint32_t> thresholds, pool(columns);
      std::iota(pool.begin(), pool.end(), 0u);
      std::vector<ColumnRange> ranges;
      for (std::size_t j = 0; j < columns; ++j) {
        thresholds.push_back(static_cast<std::uint32_t>(j % k_places));
        thresholds.push_back(k_zero_place);
        ranges.push_back(j % 3 == 0 ? ColumnRange{} : ColumnRange{-1e-3 * static_cast<double>(j), 0.5});
      }
      const double below = squared(2 * columns, [&](std::span<std::int64_t> sum) {
        one.add_below(thresholds, unit_within(grid.longest_row, squared_below(thresholds.size())), sum);
      });
      const double octaves = squared(k_octaves, [&](std::span<std::int64_t> sum) {
        one.add_octaves(pool, unit_within(grid.longest_row, squared_octaves(columns)), sum);
      });
      const double powers = squared(2 * columns, [&](std::span<std::int64_t> sum) {
        one.add_powers(ranges, unit_within(grid.longest_row, squared_powers(columns)), sum);
      });
      EXPECT_LT(below, most);
      EXPECT_LT(octaves, most);
      EXPECT_LT(powers, most);
      EXPECT_GT(below, 0.99 * most);  // and none of it is wasted
      if (is_equal) {
        EXPECT_GT(octaves, 0.99 * most);
      }
    }
  }
}

double normal(Coins& coins) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(coins.word() >> 11) * 0x1p-53;
  return sum;
}

TEST(CentralMoments, columns_of_all_kinds_are_found_where_they_lie) {
  constexpr std::size_t k_rows = 20000, k_columns = 6;
  Coins coins(2000);
  std::vector<float> values;
  for (std::size_t row = 0; row < k_rows; ++row) {
    values.push_back(static_cast<float>(normal(coins)));
    values.push_back(static_cast<float>(2016 + 3 * normal(coins)));
    values.push_back(static_cast<float>(-0.995 + 0.003 * normal(coins)));
    values.push_back(coins.below(4) == 0 ? 1.0f : 0.0f);
    values.push_back(static_cast<float>(1e6 * std::exp(normal(coins) / 2)));
    values.push_back(coins.below(55) == 0 ? 1.0f : 0.0f);
  }
  const struct {
    double offset, deviation, most;
  } truth[k_columns] = {{0, 1, 1.3},        {2016, 3, 4},         {-0.995, 0.003, 4},
                        {0.25, 0.433, 1.3}, {1.13e6, 6.0e5, 1.5}, {0.018, 0.134, 2}};
  const double precision = moments_precision(1, 1e-5, 0.1).value();
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
    const PaidMoments paid = pay_moments(values, k_columns, Transform::none, precision, adjacency, coins);
    EXPECT_FALSE(paid.is_common_range);
    ASSERT_EQ(paid.scales.size(), k_columns);
    for (std::size_t j = 0; j < k_columns; ++j) {
      SCOPED_TRACE(j);
      EXPECT_NEAR(paid.scales[j].offset, truth[j].offset, truth[j].deviation);
      EXPECT_LT(paid.scales[j].deviation, truth[j].most * truth[j].deviation);
      EXPECT_GT(paid.scales[j].deviation, truth[j].deviation / 1.5);
    }
  }
}

TEST(CentralMoments, missing_values_do_not_widen_the_range_of_the_others) {
  Coins coins(5);
  std::vector<float> values;
  for (int i = 0; i < 20000; ++i) {
    const bool is_missing = i % 5 < 2;
    values.push_back(is_missing ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(300 + 2 * normal(coins)));
  }
  const PaidMoments paid = pay_moments(values, 1, Transform::none, 1, Adjacency::add_remove, coins);
  EXPECT_NEAR(paid.scales[0].offset, 300, 0.5);
  // Four of ten count as the middle of the range, which takes from the variance what they would add.
  EXPECT_NEAR(paid.scales[0].deviation, 2 * std::sqrt(0.6), 0.3);
}

TEST(CentralMoments, few_rows_get_one_range_and_whether_they_do_is_public) {
  Coins coins(2001);
  std::vector<float> small(50 * 40), large(50 * 40, 1e9f);
  for (float& v : small) v = static_cast<float>(normal(coins));
  const double precision = moments_precision(1, 1e-5, 0.1).value();
  const PaidMoments a = pay_moments(small, 40, Transform::none, precision, Adjacency::add_remove, coins);
  const PaidMoments b = pay_moments(large, 40, Transform::none, precision, Adjacency::add_remove, coins);
  EXPECT_TRUE(a.is_common_range && b.is_common_range);
  ASSERT_EQ(a.releases.size(), b.releases.size());
  for (std::size_t i = 0; i < a.releases.size(); ++i) EXPECT_EQ(a.releases[i].z, b.releases[i].z);
  for (const Scale& scale : a.scales) EXPECT_TRUE(scale.deviation > 0 && std::isfinite(scale.offset));
}

TEST(CentralMoments, every_method_leaves_room_for_what_was_paid_before) {
  const SyntheticData data = synthetic_rows(2000, 12, 3, 0.1, 2002);
  Coins coins(2003);
  for (const Method method : all_methods()) {
    for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::replace_one}) {
      if (method == Method::kt_paper) continue;  // promises nothing
      SCOPED_TRACE(method_name(method));
      FitSettings s;
      s.method = method;
      s.nonzeros = 3;
      s.budget = Budget{2, 1e-5};
      s.adjacency = adjacency;
      const double share = moments_precision(2, 1e-5, 0.15).value();
      std::vector<float> values(100, 1);
      s.paid_before = pay_moments(values, 5, Transform::none, share, adjacency, coins).releases;
      const auto made = fit(all_rows(data.problem), s, coins);
      ASSERT_TRUE(made.ok()) << made.error().message();
      EXPECT_LE(made.value().epsilon, 2);
      EXPECT_GT(made.value().epsilon, 1.99);
      // Alone, the method would have had less noise.
      FitSettings alone = s;
      alone.paid_before.clear();
      const auto free = fit(all_rows(data.problem), alone, coins);
      if (method != Method::frank_wolfe && method != Method::two_stage && method != Method::dp_scsg_ht_1) {
        EXPECT_GT(made.value().z, free.value().z);
      }
    }
  }
}

/// One column of equal numbers, and the same with others in a few rows: how much likelier is a high offset with these? The bound of
/// epsilon holds with probability 1 - 1e-3.
double audited(std::size_t changed_rows, double epsilon, double delta) {
  constexpr std::uint64_t k_runs = 60000;
  constexpr std::size_t k_rows = 150;
  const double precision = moments_precision(epsilon, delta, 1).value();
  std::vector<float> plain(k_rows, 1.0f), canary = plain;
  std::fill_n(canary.begin(), changed_rows, 1e9f);
  const auto offset = [&](const std::vector<float>& rows, Coins& from) {
    return pay_moments(rows, 1, Transform::none, precision, Adjacency::replace_one, from).scales[0].offset;
  };
  // Fixed before any run, from runs with other coins: 1 in 100 offsets of the plain rows lies above.
  Coins before(2004), coins(2005);
  std::vector<double> seen;
  for (int i = 0; i < 5000; ++i) seen.push_back(offset(plain, before));
  std::nth_element(seen.begin(), seen.begin() + 4950, seen.end());
  audit::EventCounts counts{0, 0, k_runs};
  for (std::uint64_t run = 0; run < k_runs; ++run) {
    counts.first += offset(canary, coins) > seen[4950];
    counts.second += offset(plain, coins) > seen[4950];
  }
  return audit::epsilon_lower_bound(counts, 1e-3, delta);
}

TEST(CentralMoments, an_audit_stays_below_the_promise_for_a_row_and_sees_where_four_rows_count_as_one) {
  constexpr double k_epsilon = 1, k_delta = 1e-5;
  const double honest = audited(1, k_epsilon, k_delta);
  EXPECT_LE(honest, k_epsilon);
  EXPECT_GT(honest, 0);
  EXPECT_GT(audited(4, k_epsilon, k_delta), k_epsilon);
}

}  // namespace
}  // namespace sotto::analyzer::central
