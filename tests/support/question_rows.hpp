// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "asked_question.hpp"
#include "sotto/choices.hpp"

// What a device of AskedQuestion holds, in doubles, and what its answers should be.
namespace sotto::analyzer {

using Vector = std::vector<double>;

inline constexpr std::uint32_t k_d = k_asked_features, k_m = k_asked_rows;
inline constexpr std::int32_t k_one = 1 << 24;
inline constexpr std::size_t k_front = sizeof(WorkTag);  // before the answer that a question keeps

inline double q24(std::int32_t v) { return v / 16777216.0; }

/// The rows of a device in doubles, and the references.
struct Rows {
  const AskedQuestion& asked;
  [[nodiscard]] double x(std::uint32_t i, std::uint32_t j) const { return asked.numbers[i * (k_d + 1) + j] / 32768.0; }
  [[nodiscard]] double y(std::uint32_t i) const { return x(i, k_d); }
  [[nodiscard]] double inner(std::uint32_t i, const Vector& theta) const {
    double sum = 0;
    for (std::uint32_t j = 0; j < k_d; ++j) sum += x(i, j) * theta[j];
    return sum;
  }
  [[nodiscard]] Vector theta() const {
    Vector out(k_d, 0.0);
    for (std::uint32_t k = 0; k < asked.round.model_size; ++k) {
      const ModelEntry e = model_entry(asked.round, k);
      out[e.feature] = q24(e.value_q24);
    }
    return out;
  }
  [[nodiscard]] double residual(std::uint32_t i, const Vector& theta) const {
    const double u = inner(i, theta);
    if (asked.round.link == 1) return 1 / (1 + std::exp(-u)) - (y(i) > 0 ? 1 : 0);
    return u - y(i);
  }
  [[nodiscard]] Vector gradient(std::uint32_t first, std::uint32_t rows, double m, const Vector& theta) const {
    Vector out(k_d, 0.0);
    const double bound = asked.round.parameter[recipe::vector::residual_bound] / 16777216.0;
    for (std::uint32_t i = first; i < first + rows; ++i) {
      const double rho = std::clamp(residual(i, theta), -bound, bound);
      for (std::uint32_t j = 0; j < k_d; ++j) out[j] += rho * x(i, j) / m;
    }
    return out;
  }
  [[nodiscard]] std::uint32_t chosen() { return chosen_row(const_cast<AskedQuestion&>(asked).asked(true).label, k_m); }
};

/// On the model's features, where the scope says so.
inline Vector in_scope(const AskedQuestion& asked, const Vector& all, std::uint32_t scope) {
  if (scope == k_scope_all) return all;
  Vector out;
  for (std::uint32_t k = 0; k < asked.round.model_size; ++k) out.push_back(all[model_entry(asked.round, k).feature]);
  return out;
}

/// g pulled into the ball of radius r, over r, and the coordinate that makes its length 1.
inline Vector lifted(Vector g, double r) {
  double square = 0;
  for (const double v : g) square += v * v;
  const double scale = std::max(r, std::sqrt(square));
  for (double& v : g) v /= scale;
  g.push_back(std::sqrt(std::max(0.0, 1 - square / (scale * scale))));
  return g;
}

inline void expect_near(const Vector& wanted, const Vector& found, double tolerance) {
  ASSERT_EQ(wanted.size(), found.size());
  for (std::size_t j = 0; j < wanted.size(); ++j) EXPECT_NEAR(wanted[j], found[j], tolerance) << j;
}

}  // namespace sotto::analyzer
