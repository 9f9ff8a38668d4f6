// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/noise_law.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer::audit {

namespace {

/// Unnormalised masses of the discrete Gaussian at 0, 1, 2, ... down to e^-100 of the largest.
std::vector<double> gaussian_masses(std::uint32_t variance) {
  std::vector<double> mass;
  for (double z = 0;; ++z) {
    mass.push_back(std::exp(-z * z / (2.0 * variance)));
    if (z * z > 200.0 * variance) return mass;
  }
}

}  // namespace

std::vector<double> laplace_law(const LaplaceSpec& spec) {
  const std::size_t size = std::size_t{1} << spec.bits;
  std::vector<double> law(size, 0.0);
  law[0] = 1;
  for (std::uint32_t j = 0; j < spec.bits; ++j) {
    const double set = std::ldexp(static_cast<double>(laplace_digit_threshold(laplace_step_q40(spec), j)), -64);
    const double one_way = set * (1 - set), stay = set * set + (1 - set) * (1 - set);
    const std::size_t step = std::size_t{1} << j;
    std::vector<double> next(size);
    for (std::size_t z = 0; z < size; ++z) {
      next[z] = law[z] * stay + (law[(z - step) & (size - 1)] + law[(z + step) & (size - 1)]) * one_way;
    }
    law = std::move(next);
  }
  return law;
}

double laplace_delivered(const LaplaceSpec& spec) {
  const std::vector<double> law = laplace_law(spec);
  double largest = 1;
  for (std::size_t shift = 1; shift <= 2 * std::size_t{spec.radius}; ++shift) {
    for (std::size_t z = 0; z < law.size(); ++z)
      largest = std::max(largest, law[z] / law[(z + shift) & (law.size() - 1)]);
  }
  return std::log(largest);
}

double gaussian_upper_tail(std::uint32_t variance, std::int32_t z) {
  const std::vector<double> mass = gaussian_masses(variance);
  double above_zero = 0, tail = 0;
  for (std::size_t i = mass.size(); i-- > 1;) {  // smallest first
    above_zero += mass[i];
    if (static_cast<std::int64_t>(i) >= std::abs(std::int64_t{z})) tail += mass[i];
  }
  const double total = 1 + 2 * above_zero;
  if (z == 0) return (1 + above_zero) / total;
  return z > 0 ? tail / total : 1 - (tail - mass[static_cast<std::size_t>(-z)]) / total;
}

double gaussian_delivered(const GaussianSpec& spec) {
  const double shift = 2.0 * spec.radius, variance = spec.variance,
               delta = std::ldexp(static_cast<double>(spec.delta), -64);
  const auto reach = static_cast<std::int64_t>(gaussian_masses(spec.variance).size());
  double total = 0;
  for (std::int64_t z = -reach; z <= reach; ++z) total += std::exp(-static_cast<double>(z * z) / (2 * variance));
  const auto delta_at = [&](double epsilon) {
    double sum = 0;
    for (std::int64_t z = -reach; z <= reach + 2 * spec.radius; ++z) {
      const double here = static_cast<double>(z), there = here - shift;
      sum +=
          std::max(0.0, std::exp(-there * there / (2 * variance)) - std::exp(epsilon - here * here / (2 * variance)));
    }
    return sum / total;
  };
  double low = 0, high = nearbyint(2.0 * k_epsilon_max / k_epsilon_one);
  for (int i = 0; i < 50; ++i) {
    const double middle = (low + high) / 2;
    (delta_at(middle) <= delta ? high : low) = middle;
  }
  return high;
}

}  // namespace sotto::analyzer::audit
