// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "src/protocol/boost/clipping_gain.hpp"

namespace sotto::analyzer {
namespace {

struct Sampled {
  double pole = 0, kept = 0;
};

/// Normal answers with a mean square of 1 around a small shift, clipped at R.
Sampled clipped_answers(int k, double radius) {
  constexpr int k_answers = 200'000;
  const double shift = 0.1;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal(0, 1 / std::sqrt(k));
  Sampled out;
  for (int i = 0; i < k_answers; ++i) {
    double square = 0, first = 0;
    for (int j = 0; j < k; ++j) {
      const double g = normal(random) + (j == 0 ? shift : 0);
      if (j == 0) first = g;
      square += g * g;
    }
    const double factor = std::min(1.0, radius / std::sqrt(square));
    out.kept += factor * first / shift / k_answers;
    out.pole += std::sqrt(std::max(0.0, 1 - factor * factor * square / (radius * radius))) / k_answers;
  }
  return out;
}

TEST(ClippingGain, follows_from_the_distance_of_normal_answers_from_the_boundary) {
  for (const int k : {2, 5, 12}) {
    for (const double radius : {0.8, 1.0, 1.5, 3.0}) {
      const Sampled sampled = clipped_answers(k, radius);
      // The sampled mean has a standard error of 1 / (sqrt(k) 0.1 sqrt(200000)), at most 0.016; steps of the table 0.02.
      EXPECT_NEAR(clipping_gain(k, sampled.pole, 0).kept, sampled.kept, 0.06) << k << " coordinates, radius " << radius;
    }
  }
}

TEST(ClippingGain, nothing_is_clipped_at_the_pole_and_a_vague_pole_is_doubted) {
  EXPECT_NEAR(clipping_gain(5, 0.99, 0.001).kept, 1, 0.01);
  EXPECT_NEAR(clipping_gain(5, 0.99, 0.001).doubt, 0, 0.01);
  EXPECT_GE(clipping_gain(5, -0.2, 0.1).kept, 0.5);
  EXPECT_GT(clipping_gain(5, 0.3, 0.2).doubt, 3 * clipping_gain(5, 0.3, 0.02).doubt);
}

}  // namespace
}  // namespace sotto::analyzer
