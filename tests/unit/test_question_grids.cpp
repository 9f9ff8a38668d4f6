// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The integers that sketch and synopsis keep before their noise, against doubles, and the ball that they must lie in.
#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <random>
#include <vector>

#include "question_rows.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/fourier.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hemisphere.hpp"

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

TEST(QuestionGrids, sketches_and_synopses_lie_in_their_balls) {
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
      std::vector<std::byte> work(hadamard_project_work_bytes(32));
      ASSERT_EQ(hadamard_projection_column(label, 32, i, work, signs), Status::ok);
      for (int j = 0; j < 8; ++j) z[static_cast<std::size_t>(j)] += signs[j] * rows.x(row, i) / std::sqrt(8);
    }
    asked.ask(Recipe::hadamard, {radius, 400, 300, 8192, 32});
    Vector wanted = on_grid(z, r, 400);
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_sketch), 8);

    std::int32_t features[8];
    fourier_features({label, 1u << 16}, asked.mapped(), row, features);
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
    asked.ask(Recipe::copies, {radius, 200, 300, 8192, 4, k_scope_all});
    Vector x;
    for (std::uint32_t j = 0; j < k_d; ++j) x.push_back(rows.x(row, j));
    x = on_grid(x, r, 200);
    wanted.clear();
    for (int copy = 0; copy < 4; ++copy) wanted.insert(wanted.end(), x.begin(), x.end());
    wanted.push_back(target);
    expect_near(wanted, kept_grid(asked, k_synopsis), 6);
  }
}

/// Rows that try to leave the ball: ends of the range, one long feature, just above half a grid step, random, none.
void adversarial_rows(AskedQuestion& asked, std::uint64_t kind, std::mt19937_64& random) {
  for (Q15& x : asked.numbers) {
    const auto any = static_cast<Q15>(random());
    switch (kind % 5) {
      case 0: x = any < 0 ? Q15{-32768} : Q15{32767}; break;
      case 1: x = random() % k_d == 0 ? any : Q15{0}; break;
      case 2: x = static_cast<Q15>((any < 0 ? -1 : 1) * (32768 * 5 / 400 / 2 + 1)); break;
      case 3: x = static_cast<Q15>(any / 8); break;
      default: x = any; break;
    }
  }
}

// Neighbours are any two devices: all of their rows differ. Whatever they hold, their answers before the noise are at most 2G apart,
// which is the sensitivity that the noise is certified for, and some come close to it.
TEST(QuestionGrids, no_two_devices_are_further_apart_than_the_noise_is_certified_for) {
  struct Case {
    Recipe recipe;
    const Question* question;
    std::initializer_list<std::uint32_t> parameters;
    std::uint32_t dimension;
  };
  const Case cases[] = {
      {Recipe::hadamard, &k_sketch, {k_one / 4, 400, 300, 8192, 32}, 9},
      {Recipe::fourier, &k_sketch, {k_one / 2, 400, 300, 8192, 1u << 18}, 9},
      {Recipe::copies, &k_synopsis, {k_one / 8, 200, 300, 4096, 4, k_scope_all}, 4 * k_d + 1},
  };
  std::mt19937_64 random{5};
  AskedQuestion asked;
  for (const Case& c : cases) {
    asked.begin(77);
    asked.through(GaussianSpec{.radius = 500, .dimension = c.dimension});
    asked.ask(c.recipe, c.parameters);
    std::vector<Vector> kept;
    for (std::uint64_t kind = 0; kind < 300; ++kind) {
      adversarial_rows(asked, kind, random);
      kept.push_back(kept_grid(asked, *c.question));
      for (Q15& x : asked.numbers) x = x == -32768 ? Q15{32767} : static_cast<Q15>(-x);  // the opposite device
      kept.push_back(kept_grid(asked, *c.question));
    }
    double most = 0;
    for (const Vector& a : kept) {
      for (const Vector& b : kept) {
        double square = 0;
        for (std::size_t j = 0; j < a.size(); ++j) square += (a[j] - b[j]) * (a[j] - b[j]);
        most = std::max(most, square);
      }
    }
    EXPECT_LE(most, 4.0 * 500 * 500);
    EXPECT_GE(most, 0.9 * 4.0 * 500 * 500) << "the search is too weak to find anything";
  }
}

TEST(QuestionGrids, packed_fourier_products_and_cells_are_what_doubles_say) {
  AskedQuestion asked;
  for (std::uint64_t seed = 310; seed < 330; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    const std::uint32_t row = rows.chosen();
    std::int32_t features[8];
    fourier_features({asked.asked(true).label, 1u << 17}, asked.mapped(), row, features);
    Vector packed;
    for (int i = 0; i < 8; ++i) {
      for (int j = i; j < 8; ++j) packed.push_back(q24(features[i]) * q24(features[j]));
    }
    for (const std::int32_t z : features) packed.push_back(q24(z) * rows.y(row));
    asked.through(HemisphereSpec{.dimension = 45});
    asked.ask(Recipe::packed_fourier, {2 * k_one, 8, 1u << 17});
    ASSERT_EQ(asked.answer(k_moments_fourier, asked.hooked(), 1).size(), 1u);
    Vector found;
    for (std::size_t j = 0; j < 44; ++j) found.push_back(asked.kept<Q15>(k_front)[j] / 32768.0);
    for (double& v : packed) v /= 2;
    expect_near(packed, found, 0.0005);

    asked.model({{1, 0}, {4, 0}});
    asked.through(GrrSpec{.categories = 2 * 7 * 7});
    asked.ask(Recipe::cells, {7, 8192, 0});
    int up = 0;
    for (std::uint64_t coins = 0; coins < 400; ++coins) {
      ASSERT_EQ(asked.answer(k_bin_cells, asked.hooked(), coins).size(), 1u);
      const std::uint32_t category = *asked.kept<std::uint32_t>(k_front);
      const auto cell = [&](std::uint32_t j) { return static_cast<std::uint32_t>((rows.x(row, j) + 1) / 2 * 7); };
      ASSERT_EQ(category / 2, cell(1) + 7 * cell(4));
      up += static_cast<int>(category % 2);
    }
    const double chance = (1 + std::clamp(rows.y(row) * 4, -1.0, 1.0)) / 2;
    EXPECT_NEAR(up / 400.0, chance, 5 * 0.5 / std::sqrt(400.0));  // five deviations
  }
}

}  // namespace
}  // namespace sotto::analyzer
