// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "clipping.hpp"

#include <cmath>
#include <numbers>

#include <boost/math/distributions/chi_squared.hpp>

#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_squares = 64, k_angles = 32;

/// The mean of f(|x|^2) over equiprobable quantiles of the squared length of k normal columns.
template <class F>
double mean_over_squares(std::size_t columns, F f) {
  const boost::math::chi_squared law(static_cast<double>(columns));
  double sum = 0;
  for (int i = 0; i < k_squares; ++i) sum += f(quantile(law, (i + 0.5) / k_squares));
  return sum / k_squares;
}

/// E sqrt(1 - z^2/c^2) over |z| < c, by z = c sin t.
double pole_of(double c) {
  double sum = 0;
  for (int i = 0; i < k_angles; ++i) {
    const double t = ((i + 0.5) / k_angles - 0.5) * std::numbers::pi, z = c * std::sin(t);
    sum += std::pow(std::cos(t), 2) * std::exp(-z * z / 2);
  }
  return c * sum * std::numbers::pi / k_angles / std::sqrt(2 * std::numbers::pi);
}

}  // namespace

ClippedProducts clip_products(double radius, std::size_t columns) {
  const auto k = static_cast<double>(columns);
  // Given the columns, r is clipped at radius / |(1, x)|; an effect b moves it by b x_j.
  const auto kept = [radius](double square) { return 2 * normal_below(radius / std::sqrt(1 + square)) - 1; };
  ClippedProducts out;
  out.column = mean_over_squares(columns, [&](double q) { return q / k * kept(q); }) /
               mean_over_squares(columns, [&](double q) { return q / k; });
  out.level = mean_over_squares(columns, kept);
  out.pole = mean_over_squares(columns, [&](double q) { return pole_of(radius / std::sqrt(1 + q)); });
  return out;
}

double radius_of_pole(double pole, std::size_t columns) {
  const double unit = std::sqrt(static_cast<double>(columns) + 1);
  double low = 0.05 * unit, high = 20 * unit;
  for (int i = 0; i < 30; ++i) {
    const double middle = std::sqrt(low * high);
    const double there = mean_over_squares(columns, [middle](double q) { return pole_of(middle / std::sqrt(1 + q)); });
    (there < pole ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

double clip_columns(double radius, std::size_t columns) {
  const auto k = static_cast<double>(columns);
  // The mean of the divergence of the pull into the ball, over k.
  return mean_over_squares(columns, [&](double q) {
    const double length = std::sqrt(q);
    return length < radius ? 1 : radius / length * (k - 1) / k;
  });
}

}  // namespace sotto::analyzer
