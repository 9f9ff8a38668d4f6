// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What is left of the target once a broadcast model is taken off, against doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "local_problem.hpp"
#include "sotto/local/residual.hpp"

namespace sotto {
namespace {

TEST(Residual, is_the_target_less_the_model_and_saturates) {
  std::mt19937_64 random{51};
  for (int trial = 0; trial < 300; ++trial) {
    const auto rows = static_cast<std::uint32_t>(random() % 30),
               features = static_cast<std::uint32_t>(1 + random() % 40);
    const LocalProblem p = trial % 2 == 0 ? bell_problem(rows, features, random) : wild_problem(rows, features, random);
    std::vector<std::uint16_t> feature;
    std::vector<std::int32_t> value;
    for (std::uint16_t j = 0; j < features; ++j) {
      if (random() % 3 != 0) continue;
      feature.push_back(j);
      value.push_back(static_cast<std::int32_t>(random()) >> (trial % 4 == 1 ? 0 : 6));  // whole int32 now and then
    }
    std::vector<std::int32_t> mapped(rows), hooked(rows);
    std::vector<Q15> column(rows);
    residuals_q24(p.samples(), {feature, value}, nullptr, mapped.data());
    residuals_q24(p.hooked(), {feature, value}, column.data(), hooked.data());
    ASSERT_EQ(mapped, hooked);
    for (std::uint32_t i = 0; i < rows; ++i) {
      double fit = 0;
      for (std::size_t k = 0; k < feature.size(); ++k) fit += p.at(i, feature[k]) / 32768.0 * value[k];
      fit = std::clamp(fit, -2147483647.0, 2147483647.0);
      const double exact = std::clamp(p.at(i, features) * 512.0 - fit, -2147483647.0, 2147483647.0);
      ASSERT_NEAR(mapped[i], exact, 0.51) << "trial " << trial;
    }
  }
}

}  // namespace
}  // namespace sotto
