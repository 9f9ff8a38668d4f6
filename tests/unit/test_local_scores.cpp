// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Cubed scores against doubles, for data of every size.
#include "sotto/local/scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "seeded_entropy.hpp"

namespace sotto {
namespace {

TEST(LocalScores, agree_with_doubles_and_have_length_one) {
  SeededEntropy seeded{42};
  double worst = 0;
  for (std::uint32_t n = 0; n < 200; ++n) {
    const std::uint32_t rows = 1 + seeded.word() % 60, features = 1 + seeded.word() % 200, shift = n % 12;
    std::vector<Q15> numbers(rows * (features + 1));
    for (Q15& x : numbers) x = static_cast<Q15>(static_cast<Q15>(seeded.word()) >> shift);
    // Some columns follow the target, so that strengths lie far apart.
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < features; j += 7) {
        Q15& x = numbers[i * (features + 1) + j];
        x = static_cast<Q15>(x / 8 + numbers[i * (features + 1) + features] / static_cast<int>(2 + j));
      }
    }
    const ScreenSpec spec{rows, 1 + seeded.word() % 32768};
    std::vector<double> wanted(features);
    double square = 0;
    for (std::uint32_t j = 0; j < features; ++j) {
      double product = 0, length = 0.1 * rows * spec.unit_q15 * spec.unit_q15;
      for (std::uint32_t i = 0; i < rows; ++i) {
        const double x = numbers[i * (features + 1) + j];
        product += x * numbers[i * (features + 1) + features];
        length += x * x;
      }
      wanted[j] = std::pow(product / std::sqrt(length), 3);
      square += wanted[j] * wanted[j];
    }
    std::vector<std::int32_t> found(features);
    std::vector<std::byte> work(screen_work_bytes(rows, true));
    const Samples samples{rows, features, numbers.data(), features + 1, nullptr, nullptr};
    cubed_scores(spec, samples, {}, work, found);
    double length = 0;
    for (std::uint32_t j = 0; j < features; ++j) {
      const double v = found[j] / 16777216.0, w = square == 0 ? 0 : wanted[j] / std::sqrt(square);
      worst = std::max(worst, std::abs(v - w));
      length += v * v;
    }
    EXPECT_LE(length, 1.0);
    if (square > 0) {
      EXPECT_GE(std::sqrt(length), 1 - std::ldexp(1, -10));
    }
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LE(worst, std::ldexp(1, -11)) << worst;
  EXPECT_GT(worst, 0);
}

}  // namespace
}  // namespace sotto
