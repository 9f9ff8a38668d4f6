// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The answer that a question keeps before its randomizer, against doubles.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "question_rows.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/hadamard_projection.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {
namespace {

Vector kept_unit(const AskedQuestion& asked, std::size_t size) {
  const Q15* const unit = asked.kept<Q15>(k_front);
  Vector out;
  for (std::size_t j = 0; j < size; ++j) out.push_back(unit[j] / 32768.0);
  return out;
}

/// All but the last coordinate, which the analyzer drops and which takes what rounding takes from the others; the length is 1.
void expect_lifted(Vector wanted, Vector found, double tolerance) {
  double square = 0;
  for (const double v : found) square += v * v;
  EXPECT_NEAR(square, 1, 0.0005);
  wanted.pop_back();
  found.pop_back();
  expect_near(wanted, found, tolerance);
}

/// Least squares of y - X theta on two features, by Cramer's rule.
Vector least_squares_of_two(const Rows& rows, std::uint32_t a, std::uint32_t b, double ridge) {
  const Vector theta = rows.theta();
  double aa = ridge, ab = 0, bb = ridge, ar = 0, br = 0;
  for (std::uint32_t i = 0; i < k_m; ++i) {
    const double r = rows.y(i) - rows.inner(i, theta), xa = rows.x(i, a), xb = rows.x(i, b);
    aa += xa * xa;
    ab += xa * xb;
    bb += xb * xb;
    ar += xa * r;
    br += xb * r;
  }
  const double det = aa * bb - ab * ab;
  return {(bb * ar - ab * br) / det, (aa * br - ab * ar) / det};
}

/// The answer of `question` as a lifted vector, whatever the randomizer.
Vector lifted_answer(AskedQuestion& asked, const Question& question, std::uint32_t size) {
  asked.through(HemisphereSpec{.dimension = size + 1});
  EXPECT_EQ(asked.answer(question, asked.hooked(), 1).size(), 1u);
  return kept_unit(asked, size + 1);
}

TEST(QuestionAnswers, directions_answer_what_doubles_answer) {
  AskedQuestion asked;
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    asked.model({{1, k_one / 3}, {4, -k_one / 5}});
    const Vector theta = rows.theta();
    const double r = 0.25;
    const std::uint32_t radius = k_one / 4;
    for (std::uint32_t scope = 0; scope < 2; ++scope) {
      const std::uint32_t size = scope == k_scope_all ? k_d : 2;
      for (asked.round.link = 0; asked.round.link < 2; ++asked.round.link) {
        asked.ask(Recipe::gradient, {radius, 2 * k_one, 0, 0, scope});
        expect_lifted(lifted(in_scope(asked, rows.gradient(0, k_m, k_m, theta), scope), r),
                      lifted_answer(asked, k_direction, size), 0.001);
        asked.ask(Recipe::row_gradient, {radius, 2 * k_one, 0, 0, scope});
        expect_lifted(lifted(in_scope(asked, rows.gradient(rows.chosen(), 1, 1, theta), scope), r),
                      lifted_answer(asked, k_direction, size), 0.001);
      }
      asked.round.link = 0;
      asked.ask(Recipe::means, {radius, 0, 0, 0, scope});
      Vector means(k_d, 0.0);
      for (std::uint32_t j = 0; j < k_d; ++j) {
        for (std::uint32_t i = 0; i < k_m; ++i) means[j] += (rows.x(i, j) - theta[j]) / k_m;
      }
      expect_lifted(lifted(in_scope(asked, means, scope), r), lifted_answer(asked, k_direction, size), 0.001);
    }
    asked.ask(Recipe::least_squares, {16 * radius, 1u << 16});
    expect_lifted(lifted(least_squares_of_two(rows, 1, 4, k_m / 256.0), 4), lifted_answer(asked, k_direction, 2),
                  0.002);
  }
}

TEST(QuestionAnswers, moments_and_updates_answer_what_doubles_answer) {
  AskedQuestion asked;
  for (std::uint64_t seed = 120; seed < 130; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    Rows rows{asked};
    asked.ask(Recipe::packed, {k_one / 4, 0, 0, 0, k_scope_all});
    Vector packed;
    const std::uint32_t row = rows.chosen();
    for (std::uint32_t i = 0; i < k_d; ++i) {
      for (std::uint32_t j = i; j < k_d; ++j) packed.push_back(rows.x(row, i) * rows.x(row, j));
    }
    for (std::uint32_t j = 0; j < k_d; ++j) packed.push_back(rows.x(row, j) * rows.y(row));
    expect_lifted(lifted(packed, 0.25), lifted_answer(asked, k_moments, 27), 0.001);

    asked.model({{1, k_one / 3}, {4, -k_one / 5}});
    asked.ask(Recipe::steps, {k_one / 4, 2 * k_one, 0, 0, k_one / 2, 3 | 3u << 16});
    const Vector broadcast = rows.theta();
    Vector theta = broadcast;
    for (int step = 0; step < 3; ++step) {
      const Vector g = rows.gradient(0, k_m, k_m, theta);
      for (std::uint32_t j = 0; j < k_d; ++j) theta[j] -= g[j] / 2;
      Vector sizes;
      for (const double v : theta) sizes.push_back(std::abs(v));
      std::sort(sizes.rbegin(), sizes.rend());
      for (double& v : theta) v = std::abs(v) >= sizes[2] ? v : 0;
    }
    for (std::uint32_t j = 0; j < k_d; ++j) theta[j] -= broadcast[j];
    expect_lifted(lifted(theta, 0.25), lifted_answer(asked, k_update, k_d), 0.001);

    // The same on a grid of 100 steps.
    asked.through(GaussianSpec{.radius = 100, .dimension = k_d});
    ASSERT_EQ(asked.check(k_update_noisy), Status::ok);
    SeededEntropy entropy{seed};
    PrivateCoins coins;
    ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
    k_update_noisy.prepare(asked.asked(false), {asked.hooked(), 0}, coins);
    Vector wanted = lifted(theta, 0.25), found;
    wanted.pop_back();
    for (double& v : wanted) v *= 100;
    for (std::uint32_t j = 0; j < k_d; ++j) found.push_back(asked.kept<std::int32_t>(k_front)[j]);
    expect_near(wanted, found, 2.5);
  }
}

/// The rotated vector, all coordinates, in doubles.
Vector rotated(const CoinLabel& label, const Vector& v) {
  const std::uint32_t size = rotated_size(static_cast<std::uint32_t>(v.size()));
  PublicCoins signs = rotation_signs(label);
  const std::uint32_t bits = signs.word();
  Vector out(size, 0.0);
  for (std::uint32_t j = 0; j < size; ++j) {
    for (std::uint32_t i = 0; i < v.size(); ++i) out[j] += ((parity(i & j) ^ bits >> i) & 1u) != 0 ? -v[i] : v[i];
    out[j] /= std::sqrt(size);
  }
  return out;
}

TEST(QuestionAnswers, values_and_bins_answer_the_rotated_coordinate) {
  AskedQuestion asked;
  constexpr std::int32_t k_low = -k_one / 8, k_high = k_one / 16;
  for (std::uint64_t seed = 140; seed < 200; ++seed) {
    asked.begin(seed);
    asked.pseudonym = seed;
    const Rows rows{asked};
    if (seed % 2 == 0) asked.model({{0, 0}, {4, -k_one / 5}});
    const std::uint32_t scope = seed % 2 == 0 ? 0 : k_scope_all;
    asked.ask(Recipe::gradient, {0, 2 * k_one, 0, 0, scope});
    asked.pairs({{k_low, k_high}});
    const CoinLabel label = asked.asked(true).label;
    const Vector all = rotated(label, in_scope(asked, rows.gradient(0, k_m, k_m, rows.theta()), scope));
    const double v = all[chosen_coordinate(label, scope == k_scope_all ? k_d : 2)];
    const double way = std::clamp((v - q24(k_low)) / (q24(k_high) - q24(k_low)), 0.0, 1.0);
    asked.through(WindowSpec{.outcomes = 5, .width = 2});
    ASSERT_FALSE(asked.answer(k_value, asked.hooked(), 1).empty());
    EXPECT_NEAR(2 * way - 1, *asked.kept<std::int32_t>(k_front) / 32768.0, 0.001);
    asked.through(GrrSpec{.categories = 20});
    ASSERT_FALSE(asked.answer(k_bin, asked.hooked(), 1).empty());
    EXPECT_NEAR(std::min(std::floor(way * 20), 19.0), *asked.kept<std::uint32_t>(k_front),
                std::abs(way * 20 - std::round(way * 20)) < 0.01 ? 1.0 : 0.0);
  }
}

TEST(QuestionAnswers, the_rotation_keeps_lengths_and_is_the_same_in_every_round) {
  AskedQuestion asked;
  asked.begin(201);
  const Vector v = {0.3, -0.2, 0.9, 0.1, -0.7, 0.05};
  const Vector first = rotated(asked.asked(true).label, v);
  asked.round.number = 9;
  asked.pseudonym = 77;
  expect_near(first, rotated(asked.asked(true).label, v), 0);
  double before = 0, after = 0;
  for (const double c : v) before += c * c;
  for (const double c : first) after += c * c;
  EXPECT_NEAR(before, after, 1e-12);
}

}  // namespace
}  // namespace sotto::analyzer
