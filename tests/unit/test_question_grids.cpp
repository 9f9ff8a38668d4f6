// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The integers that sketch and synopsis keep before their noise, against doubles, and the ball that they must lie in.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "question_rows.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/local/sign_projection.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/spec/gaussian.hpp"

namespace sotto::analyzer {
namespace {

/// What a noisy question keeps before its noise.
Vector kept_grid(AskedQuestion& asked, const Question& question) {
  EXPECT_EQ(asked.check(question), Status::ok);
  SeededEntropy entropy{1};
  PrivateCoins coins;
  EXPECT_EQ(coins.begin_report(entropy.source()), Status::ok);
  question.prepare(asked.asked(false), {asked.hooked(), 0}, coins);
  Vector out;
  for (std::uint32_t j = 0; j < asked.round.spec[2]; ++j) out.push_back(asked.kept<std::int32_t>(k_front)[j]);
  return out;
}

/// z on a grid: the ball of radius r becomes that of `steps`.
Vector on_grid(Vector z, double r, double steps) {
  z = lifted(z, r);
  z.pop_back();
  for (double& v : z) v *= steps;
  return z;
}

TEST(QuestionGrids, SketchesAndSynopsesLieInTheirBalls) {
  AskedQuestion asked;
  for (std::uint64_t seed = 210; seed < 230; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    const CoinLabel label = asked.asked(true).label;
    const std::uint32_t row = rows.chosen();
    const double target = std::clamp(rows.y(row), -0.25, 0.25) * 4 * 300;
    const double r = seed % 2 == 0 ? 0.25 : 1;  // clips often, and never
    const auto radius = static_cast<std::uint32_t>(r * k_one);
    asked.through(GaussianSpec{.radius = 500, .dimension = 9});

    Vector z(8, 0.0);
    for (std::uint32_t i = 0; i < k_d; ++i) {
      std::int8_t signs[8];
      ASSERT_EQ(sign_projection_column(label, i, signs), Status::ok);
      for (int j = 0; j < 8; ++j) z[static_cast<std::size_t>(j)] += signs[j] * rows.x(row, i) / std::sqrt(8);
    }
    asked.ask(Recipe::projection, {radius, 400, 300, 8192, 0});
    Vector wanted = on_grid(z, r, 400);
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_sketch), 8);

    z.assign(8, 0.0);
    for (std::uint32_t i = 0; i < k_d; ++i) {
      std::int8_t signs[8];
      std::vector<std::byte> work(hadamard_project_work_bytes(32));
      ASSERT_EQ(hadamard_projection_column(label, 32, i, work, signs), Status::ok);
      for (int j = 0; j < 8; ++j) z[static_cast<std::size_t>(j)] += signs[j] * rows.x(row, i) / std::sqrt(8);
    }
    asked.ask(Recipe::hadamard, {radius, 400, 300, 8192, 32});
    wanted = on_grid(z, r, 400);
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_sketch), 8);

    std::int32_t features[8];
    ASSERT_EQ(fourier_features({label, 1u << 16}, asked.mapped(), row, features), Status::ok);
    for (std::size_t j = 0; j < 8; ++j) z[j] = q24(features[j]);
    asked.ask(Recipe::fourier, {k_fourier_radius_q24, 400, 300, 8192, 1u << 16});
    wanted = on_grid(z, std::numbers::sqrt2, 400);
    wanted.push_back(target);
    const Vector kept = kept_grid(asked, k_sketch);
    expect_near(wanted, kept, 8);
    double square = 0;
    for (const double v : kept) square += v * v;
    EXPECT_LE(square, 500 * 500);

    asked.through(GaussianSpec{.radius = 500, .dimension = 4 * k_d + 1});
    asked.ask(Recipe::copies, {radius, 200, 300, 8192, 4, k_all});
    Vector x;
    for (std::uint32_t j = 0; j < k_d; ++j) x.push_back(rows.x(row, j));
    x = on_grid(x, r, 200);
    wanted.clear();
    for (int copy = 0; copy < 4; ++copy) wanted.insert(wanted.end(), x.begin(), x.end());
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_synopsis), 6);
  }
}

}  // namespace
}  // namespace sotto::analyzer
