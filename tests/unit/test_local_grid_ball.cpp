// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The sensitivity of rounded and clipped vectors: a search for two answers that are further apart than stated.
#include "sotto/local/grid_ball.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <climits>
#include <cmath>
#include <random>
#include <vector>

#include "local_problem.hpp"
#include "sotto/arithmetic/norm_clip.hpp"
#include "sotto/local/hadamard_projection.hpp"

namespace sotto {
namespace {

using Eigen::VectorXd;
using Integers = std::vector<std::int32_t>;

constexpr std::uint32_t k_radius_q24 = 1u << 24;

Integers on_grid(Integers v, std::uint32_t radius_q24, std::uint32_t grid) {
  grid_ball(v, radius_q24, grid);
  return v;
}

std::int64_t distance_square(const Integers& a, const Integers& b) {
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (std::int64_t{a[j]} - b[j]) * (std::int64_t{a[j]} - b[j]);
  return sum;
}

Integers opposite(Integers v) {
  for (std::int32_t& c : v) c = c == INT_MIN ? INT_MAX : -c;
  return v;
}

/// The same without the last step: clipped in Q24, then rounded.
Integers rounded_only(const Integers& v, std::uint32_t grid) {
  VectorXd x = from_q24(v);
  if (x.norm() > 1) x /= x.norm();
  Integers out;
  for (const double c : x) out.push_back(static_cast<std::int32_t>(std::lround(c * grid)));
  return out;
}

/// A vector on the sphere, or beyond it, of one of many kinds; some sit just above half a step in every coordinate.
Integers adversary(std::size_t n, std::uint32_t grid, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  const auto kind = random() % 6;
  const double step = k_q24 / grid;
  Integers v(n);
  for (std::int32_t& c : v) {
    const auto any = static_cast<std::int32_t>(random());
    c = any;
    if (kind == 1) c = any < 0 ? INT_MIN : INT_MAX;
    if (kind == 2) c = static_cast<std::int32_t>(k_q24 * bell(random));
    if (kind == 3) c = static_cast<std::int32_t>(std::ceil(k_q24 / std::sqrt(static_cast<double>(n))));
    if (kind >= 4) {
      const double level = std::floor(grid / std::sqrt(static_cast<double>(n)) + (kind == 5 ? bell(random) : 0)) - 0.5;
      c = static_cast<std::int32_t>(std::ceil(level * step)) + 1;
    }
  }
  return v;
}

TEST(GridBall, no_two_answers_are_further_apart_than_twice_the_radius) {
  std::mt19937_64 random{1};
  int left_the_ball = 0;
  std::int64_t closest = INT64_MAX;
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const std::size_t n = std::size_t{1} << (random() % 9);
    const auto grid = static_cast<std::uint32_t>(1 + random() % (repeat % 4 == 0 ? 32767 : 512));
    const Integers v = adversary(n, grid, random);
    const std::int64_t most = 4 * std::int64_t{grid} * grid;
    const Integers a = on_grid(v, k_radius_q24, grid), b = on_grid(opposite(v), k_radius_q24, grid);
    const Integers c = on_grid(adversary(n, grid, random), k_radius_q24, grid);
    ASSERT_LE(distance_square(a, b), most);
    ASSERT_LE(distance_square(a, c), most);
    closest = std::min(closest, most - distance_square(a, b));
    const Integers naive = rounded_only(v, grid);
    left_the_ball += 4 * distance_square(naive, Integers(n)) > most ? 1 : 0;
  }
  EXPECT_EQ(closest, 0);           // the bound is reached
  EXPECT_GT(left_the_ball, 2000);  // and rounding alone would break it: the search looks in the right places
}

// Climbs: changes a coordinate of one of two neighbours and keeps what brings them further apart.
TEST(GridBall, climbing_finds_nothing_beyond_twice_the_radius) {
  std::mt19937_64 random{2};
  for (int start = 0; start < 40; ++start) {
    const std::size_t n = 2 + random() % 30;
    const auto grid = static_cast<std::uint32_t>(1 + random() % 60);
    Integers u = adversary(n, grid, random), v = opposite(u);
    std::int64_t best = 0;
    for (int step = 0; step < 3000; ++step) {
      Integers& changed = random() % 2 == 0 ? u : v;
      const Integers before = changed;
      for (std::int32_t& c : changed) c = std::clamp(c, -(1 << 28), 1 << 28);
      changed[random() % n] += static_cast<std::int32_t>(random() % (1u << 20)) - (1 << 19);
      const std::int64_t far = distance_square(on_grid(u, k_radius_q24, grid), on_grid(v, k_radius_q24, grid));
      ASSERT_LE(far, 4 * std::int64_t{grid} * grid);
      if (far < best) changed = before;
      best = std::max(best, far);
    }
  }
}

TEST(GridBall, projected_rows_of_any_numbers_stay_in_the_ball) {
  std::mt19937_64 random{3};
  const std::uint8_t seed[32] = {1};
  for (int repeat = 0; repeat < 400; ++repeat) {
    const auto features = static_cast<std::uint32_t>(1 + random() % 400);
    const LocalProblem problem = wild_problem(2, features, random);
    const CoinLabel label{seed, 0, static_cast<std::uint16_t>(repeat)};
    Integers rows[2] = {Integers(64), Integers(64)};
    for (std::uint32_t i = 0; i < 2; ++i) {
      std::vector<std::byte> work(hadamard_project_work_bytes(512));
      hadamard_project(label, 512, problem.samples(), i, work, rows[i]);
      rows[i] = on_grid(rows[i], k_radius_q24, 512);
      ASSERT_LE(distance_square(rows[i], Integers(64)), 512 * 512);
    }
    ASSERT_LE(distance_square(rows[0], rows[1]), 1024 * 1024);
  }
}

TEST(GridBall, every_pair_of_radii_holds_for_every_int_32) {
  std::mt19937_64 random{4};
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const auto radius = 1 + static_cast<std::uint32_t>((random() % INT_MAX) >> (random() % 31));
    const auto grid = 1 + static_cast<std::uint32_t>((random() % 32767) >> (random() % 15));
    Integers v(1 + random() % 40);
    const auto shift = random() % 32;
    for (std::int32_t& c : v) c = static_cast<std::int32_t>(random()) >> shift;
    if (repeat % 5 == 0) v[0] = INT_MIN;
    ASSERT_LE(distance_square(on_grid(v, std::min<std::uint32_t>(radius, INT_MAX), grid), Integers(v.size())),
              std::int64_t{grid} * grid);
  }
}

TEST(GridBall, is_as_accurate_as_it_says) {
  std::mt19937_64 random{5};
  std::normal_distribution<double> bell;
  int inside = 0;
  for (int repeat = 0; repeat < 4000; ++repeat) {
    const std::size_t n = 1 + random() % 256;
    const auto grid = static_cast<std::uint32_t>(1 + random() % 512), radius = (1u << 20) << (random() % 9);
    const double length = 0.3 + 1.4 * std::ldexp(static_cast<double>(random()), -64);
    VectorXd x(static_cast<Eigen::Index>(n));
    for (double& c : x) c = bell(random);
    x *= length * radius / x.norm();
    Integers v;
    for (double& c : x) v.push_back(static_cast<std::int32_t>(std::lround(c)));
    for (std::size_t j = 0; j < n; ++j) x[static_cast<Eigen::Index>(j)] = v[j];
    if (x.norm() > radius) x *= radius / x.norm();
    x *= static_cast<double>(grid) / radius;
    VectorXd found(x.size());
    const Integers got = on_grid(v, radius, grid);
    for (std::size_t j = 0; j < n; ++j) found[static_cast<Eigen::Index>(j)] = got[j];
    EXPECT_LE((found - x).norm(), 2 * std::sqrt(static_cast<double>(n)) + 2);
    if (x.array().round().matrix().norm() <= grid - 0.02 * std::sqrt(static_cast<double>(n)) && length < 1) {
      EXPECT_LE((found - x).cwiseAbs().maxCoeff(), 0.5 + std::ldexp(1, -8));
      ++inside;
    }
  }
  EXPECT_GT(inside, 800);
}

TEST(GridBall, takes_up_to_4096_numbers) {
  EXPECT_LE(distance_square(on_grid(Integers(4096, INT_MIN), k_radius_q24, 512), Integers(4096)), 512 * 512);
}

// What the Gaussian randomizer does first.
TEST(GridBall, the_clip_of_the_noise_leaves_it_alone) {
  std::mt19937_64 random{6};
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const Integers once = on_grid(adversary(64, 512, random), k_radius_q24, 512);
    Integers twice = once;
    norm_clip(twice, 512);
    EXPECT_EQ(twice, once);
  }
}

}  // namespace
}  // namespace sotto
