// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Links in fixed point against the functions that they stand for.
#include "cosine_link.hpp"
#include "sotto/local/link.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <random>
#include <vector>

namespace sotto {
namespace {

constexpr double k_one = 16777216.0;
std::int32_t q24(double v) { return static_cast<std::int32_t>(std::lround(v * k_one)); }

TEST(Logistic, is_within_2_to_the_minus_15_everywhere) {
  double worst = 0;
  for (std::int64_t u = INT32_MIN; u <= INT32_MAX; u += 1009) {
    const double exact = 1 / (1 + std::exp(-static_cast<double>(u) / k_one));
    worst = std::max(worst, std::abs(logistic_q24(static_cast<std::int32_t>(u)) / k_one - exact));
  }
  EXPECT_LT(worst, std::ldexp(1, -15));
  RecordProperty("log2_worst", std::to_string(std::log2(worst)));
}

TEST(Logistic, is_symmetric_and_monotone_and_ends_at_zero_and_one) {
  EXPECT_EQ(logistic_q24(0), 1 << 23);
  EXPECT_EQ(logistic_q24(INT32_MAX), 1 << 24);
  EXPECT_EQ(logistic_q24(INT32_MIN), 0);
  std::int32_t last = 0;
  for (std::int64_t u = -(20 << 24); u <= (20 << 24); u += 4099) {
    const std::int32_t p = logistic_q24(static_cast<std::int32_t>(u));
    EXPECT_GE(p, last - 1) << u;  // the last bit may turn
    EXPECT_EQ(p + logistic_q24(static_cast<std::int32_t>(-u)), 1 << 24) << u;
    last = p;
  }
}

TEST(LinkTable, of_the_cosine_link_is_accurate_in_value_and_slope) {
  const double range = 4, scale = 8 * range + 1;
  const analyzer::LinkTableData data = analyzer::cosine_link(range);
  ASSERT_EQ(data.points.size(), 65u);
  const Link link = data.link();
  ASSERT_EQ(link_check(link), Status::ok);
  double worst_value = 0, worst_slope = 0;
  for (double u = -range; u <= range; u += 0.00037) {
    const LinkPoint f = link_at(link, q24(u));
    worst_value = std::max(worst_value, std::abs(f.value_q24 / k_one - (8 * u + std::cos(u)) / scale));
    worst_slope = std::max(worst_slope, std::abs(f.slope_q24 / k_one - (8 - std::sin(u)) / scale));
  }
  EXPECT_LT(worst_value, std::ldexp(1, -22));
  EXPECT_LT(worst_slope, std::ldexp(1, -19));
}

TEST(LinkTable, hits_its_points_and_goes_on_straight_outside) {
  const analyzer::LinkTableData data = analyzer::cosine_link(2);
  const Link link = data.link();
  for (std::size_t k = 0; k < data.points.size(); ++k) {
    const auto u = static_cast<std::int32_t>(data.first_q24 + (static_cast<std::int64_t>(k) << data.log2_step));
    EXPECT_EQ(link_at(link, u).value_q24, data.points[k].value_q24);
    EXPECT_EQ(link_at(link, u).slope_q24, data.points[k].slope_q24);
  }
  const LinkPoint last = data.points.back(), beyond = link_at(link, q24(3));
  EXPECT_EQ(beyond.slope_q24, last.slope_q24);
  EXPECT_NEAR(beyond.value_q24, last.value_q24 + last.slope_q24, 1);
  const LinkPoint first = data.points.front(), before = link_at(link, q24(-4));
  EXPECT_NEAR(before.value_q24, first.value_q24 - 2.0 * first.slope_q24, 1);
}

TEST(LinkTable, residual_is_slope_times_error_clipped) {
  const double range = 2, scale = 8 * range + 1;
  const analyzer::LinkTableData data = analyzer::cosine_link(range);
  std::mt19937_64 random{1};
  for (int i = 0; i < 2000; ++i) {
    const double u = static_cast<double>(random() % 4000) / 1000 - 2;
    const auto y = static_cast<Q15>(random() % 65536);
    const double f = (8 * u + std::cos(u)) / scale, slope = (8 - std::sin(u)) / scale;
    const double exact = std::clamp(slope * (f - y / 32768.0), -0.25, 0.25);
    EXPECT_NEAR(link_residual_q24(data.link(), q24(u), y, 1 << 22) / k_one, exact, std::ldexp(1, -18));
  }
}

TEST(Link, identity_and_logistic_residuals) {
  EXPECT_EQ(link_residual_q24({}, q24(0.5), 8192, 1 << 24), q24(0.25));
  EXPECT_EQ(link_residual_q24({}, INT32_MAX, -32768, 1 << 24), 1 << 24);
  EXPECT_EQ(link_residual_q24({}, INT32_MIN, 32767, 1 << 24), -(1 << 24));
  const Link logistic{LinkKind::logistic, {}};
  EXPECT_EQ(link_residual_q24(logistic, 0, 1, 1 << 24), -(1 << 23));
  EXPECT_EQ(link_residual_q24(logistic, 0, 0, 1 << 24), 1 << 23);
  EXPECT_EQ(link_residual_q24(logistic, 0, -32768, 1 << 24), 1 << 23);
}

TEST(Link, extreme_tables_stay_defined) {
  constexpr std::int32_t k_max = 64 << 24;
  std::mt19937_64 random{2};
  for (int repeat = 0; repeat < 3000; ++repeat) {
    const auto log2_step = static_cast<std::uint32_t>(16 + random() % 11);
    const std::int64_t rise = (std::int64_t{k_max} << 2) >> (26 - log2_step);
    std::vector<LinkPoint> points(2 + random() % 64);
    std::int64_t value = -k_max;
    for (LinkPoint& p : points) {  // flat, or as steep as is allowed, and slopes that have nothing to do with it
      p = {static_cast<std::int32_t>(value), random() % 3 == 0 ? 0 : k_max};
      value = std::min<std::int64_t>(k_max, value + (random() % 2 == 0 ? rise : 0));
    }
    const std::int32_t first = random() % 2 == 0 ? INT32_MIN : static_cast<std::int32_t>(random());
    const Link link{LinkKind::table, {first, log2_step, link_points(points)}};
    ASSERT_EQ(link_check(link), Status::ok);
    for (const std::int32_t u : {INT32_MIN, -1, 0, 1, INT32_MAX, static_cast<std::int32_t>(random())}) {
      EXPECT_LE(std::abs(link_residual_q24(link, u, static_cast<Q15>(random()), k_max)), k_max);
    }
  }
}

TEST(Link, refuses_tables_outside_their_range) {
  std::vector<LinkPoint> points(65);
  const auto check = [&](std::uint32_t log2_step, std::size_t size) {
    return link_check({LinkKind::table, {0, log2_step, link_points(std::span{points}.first(size))}});
  };
  EXPECT_EQ(check(22, 65), Status::ok);
  EXPECT_EQ(check(22, 1), Status::bad_channel);
  EXPECT_EQ(check(15, 65), Status::bad_channel);
  EXPECT_EQ(check(27, 65), Status::bad_channel);
  points.resize(66);
  EXPECT_EQ(check(22, 66), Status::bad_channel);
  points[3].slope_q24 = -1;
  EXPECT_EQ(check(22, 65), Status::bad_channel);
  points[3] = {1, 0};  // and then it falls again
  EXPECT_EQ(check(22, 65), Status::bad_channel);
  for (std::size_t k = 3; k < 66; ++k) points[k] = {16 << 24, 0};
  EXPECT_EQ(check(22, 65), Status::ok);
  for (std::size_t k = 3; k < 66; ++k) points[k] = {(16 << 24) + 1, 0};  // more than 64 times a quarter
  EXPECT_EQ(check(22, 65), Status::bad_channel);
  for (std::size_t k = 3; k < 66; ++k) points[k] = {(64 << 24) + 1, 0};
  EXPECT_EQ(check(22, 65), Status::bad_channel);
  EXPECT_EQ(link_check({static_cast<LinkKind>(3), {}}), Status::bad_channel);
}

}  // namespace
}  // namespace sotto
