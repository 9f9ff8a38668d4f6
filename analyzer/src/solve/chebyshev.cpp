// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/chebyshev.hpp"

#include <boost/math/quadrature/trapezoidal.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sotto::analyzer {

std::vector<double> chebyshev_coefficients(const std::function<double(double)>& f, std::uint32_t degree) {
  constexpr double k_tolerance = 1e-14;
  constexpr std::size_t k_halvings_max = 16;
  std::vector<double> a;
  for (std::uint32_t k = 0; k <= degree; ++k) {
    const auto wave = [&](double u) { return f(std::cos(u)) * std::cos(k * u); };
    // Integrated over the full period; the integrand is even, so this is twice the integral over the half.
    a.push_back(
        boost::math::quadrature::trapezoidal(wave, -std::numbers::pi, std::numbers::pi, k_tolerance, k_halvings_max) /
        std::numbers::pi);
  }
  return a;
}

std::vector<double> chebyshev_to_powers(const std::vector<double>& a) {
  const std::size_t size = a.size();
  std::vector<double> out(size), last(size), now(size);  // last, now: T_{k-1} and T_k in powers
  if (size == 0) return out;
  last[0] = 1;
  out[0] = a[0] / 2;
  if (size == 1) return out;
  now[1] = 1;
  for (std::size_t k = 1; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) out[i] += a[k] * now[i];
    std::vector<double> next(size);
    for (std::size_t i = 0; i < size; ++i) next[i] = (i > 0 ? 2 * now[i - 1] : 0) - last[i];
    last = std::move(now);
    now = std::move(next);
  }
  return out;
}

double polynomial_error(const std::function<double(double)>& f, const std::vector<double>& powers) {
  constexpr int k_points = 1000;
  double most = 0;
  for (int i = -k_points; i <= k_points; ++i) {
    const double t = static_cast<double>(i) / k_points;
    double value = 0;
    for (std::size_t k = powers.size(); k-- > 0;) value = value * t + powers[k];
    most = std::max(most, std::abs(f(t) - value));
  }
  return most;
}

}  // namespace sotto::analyzer
