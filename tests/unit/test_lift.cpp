// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Lifting to the sphere and clipping to a ball: exact properties in wide integers, accuracy against doubles.
#include "sotto/local/lift.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <random>
#include <vector>

#include "sotto/arithmetic/norm_q24.hpp"

namespace sotto {
namespace {

__extension__ using Wide = unsigned __int128;

Wide square_of(std::span<const std::int32_t> v) {
  Wide sum = 0;
  for (const std::int32_t c : v) sum += static_cast<Wide>(std::int64_t{c} * c);
  return sum;
}

/// Vectors of every size: tiny, huge, sparse, the ends of int32.
std::vector<std::int32_t> any_vector(std::size_t size, std::mt19937_64& random) {
  std::vector<std::int32_t> v(size);
  const auto shift = random() % 32;
  const auto kind = random() % 4;
  for (auto& c : v) {
    c = static_cast<std::int32_t>(random()) >> shift;
    if (kind == 1 && random() % 4 != 0) c = 0;
    if (kind == 2) c = random() % 2 == 0 ? INT32_MIN : INT32_MAX;
  }
  return v;
}

std::uint32_t any_radius(std::mt19937_64& random) {
  return 1 + static_cast<std::uint32_t>(random() % 0x7fffffff >> random() % 31);
}

TEST(NormCeil, is_at_least_the_norm_and_close_to_it) {
  std::mt19937_64 random{1};
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const std::vector<std::int32_t> v = any_vector(random() % 200, random);
    const std::uint64_t norm = norm_ceil(v);
    EXPECT_TRUE(static_cast<Wide>(norm) * norm >= square_of(v));
    const double exact = std::sqrt(static_cast<double>(square_of(v)));
    EXPECT_LE(static_cast<double>(norm),
              exact * (1 + std::sqrt(static_cast<double>(v.size())) * std::ldexp(1, -22)) + 1);
  }
}

TEST(NormClipQ24, ends_in_the_ball_and_keeps_the_direction) {
  std::mt19937_64 random{2};
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const std::vector<std::int32_t> v = any_vector(1 + random() % 100, random);
    const std::uint32_t radius = any_radius(random);
    std::vector<std::int32_t> clipped = v;
    norm_clip_q24(clipped, radius);
    EXPECT_TRUE(square_of(clipped) <= static_cast<Wide>(radius) * radius);
    const double norm = std::sqrt(static_cast<double>(square_of(v)));
    const double ratio = norm > radius ? radius / norm : 1;
    for (std::size_t j = 0; j < v.size(); ++j) {
      EXPECT_NEAR(clipped[j], v[j] * ratio, 2.01 + std::abs(v[j] * ratio) * std::ldexp(1, -18));
      EXPECT_LE(std::abs(std::int64_t{clipped[j]}), std::abs(std::int64_t{v[j]}));
    }
  }
  std::vector<std::int32_t> none = {5, INT32_MIN};
  norm_clip_q24(none, 0);
  EXPECT_EQ(none, (std::vector<std::int32_t>{0, 0}));
}

TEST(Lift, never_leaves_the_unit_ball_and_keeps_the_vector) {
  std::mt19937_64 random{3};
  for (int repeat = 0; repeat < 6000; ++repeat) {
    const std::vector<std::int32_t> g = any_vector(random() % 100, random);
    const std::uint32_t radius = any_radius(random);
    std::vector<Q15> unit(g.size() + 1);
    lift(g, radius, unit.data());
    std::int64_t square = 0;
    for (const Q15 u : unit) square += std::int64_t{u} * u;
    EXPECT_LE(square, std::int64_t{1} << 30);
    // The last coordinate fills what the others leave, to one unit.
    const std::int64_t last = unit.back(), left = (std::int64_t{1} << 30) - (square - last * last);
    EXPECT_TRUE(last == 32767 || (last + 1) * (last + 1) > left);
    const double norm = std::sqrt(static_cast<double>(square_of(g))), scale = std::max<double>(radius, norm);
    // The norm is a whole number of 2^-24, rounded up: that is seen where it clips and is small.
    const double rounding = norm > radius ? 32768 / norm : 0;
    const double allowed = 1.001 + rounding + std::sqrt(static_cast<double>(g.size())) * std::ldexp(1, -7);
    for (std::size_t j = 0; j < g.size(); ++j) {
      EXPECT_NEAR(unit[j], g[j] / scale * 32768, allowed);
      EXPECT_LE(std::abs(unit[j]), std::abs(g[j] / scale * 32768) + 1e-6);
    }
  }
}

TEST(Lift, of_the_centre_and_of_the_rim) {
  std::vector<Q15> unit(3);
  lift(std::vector<std::int32_t>{0, 0}, 1 << 24, unit.data());
  EXPECT_EQ(unit, (std::vector<Q15>{0, 0, 32767}));
  lift(std::vector<std::int32_t>{1 << 24, 0}, 1 << 24, unit.data());
  EXPECT_EQ(unit, (std::vector<Q15>{32767, 0, 255}));  // sqrt(2^30 - 32767^2) = 255.998
  lift(std::vector<std::int32_t>{0, -(1 << 24)}, 1 << 24, unit.data());
  EXPECT_EQ(unit, (std::vector<Q15>{0, -32768, 0}));
  lift(std::vector<std::int32_t>{6 << 23, 0}, 5 << 24, unit.data());
  EXPECT_EQ(unit, (std::vector<Q15>{19660, 0, 26214}));  // 0.6 and 0.8
  lift(std::vector<std::int32_t>{30 << 24, -(40 << 24)}, 1 << 24, unit.data());
  EXPECT_NEAR(unit[0], 0.6 * 32768, 1.01);
  EXPECT_NEAR(unit[1], -0.8 * 32768, 1.01);
}

}  // namespace
}  // namespace sotto
