// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/lower_bound.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

double noise_variance(const SyntheticSpec& spec) {
  const double size = spec.noise.size;
  switch (spec.noise.kind) {
    case Noise::Kind::uniform: return size * size / 3;
    case Noise::Kind::student: return size > 2 ? size / (size - 2) : 1;
    case Noise::Kind::gaussian: break;
  }
  return size * size;
}

/// The theorems are about small epsilon, where (e^epsilon - 1)^2 and epsilon^2 are alike. The information that one
/// report carries is bounded by the former at any epsilon, so that it keeps a bound from being claimed too high.
double squared_epsilon(double epsilon, double largest) {
  return epsilon <= largest ? epsilon * epsilon : std::expm1(epsilon) * std::expm1(epsilon);
}

}  // namespace

LowerBound lower_bound_of(const PlannedFleet& fleet, PrivateUnit unit, double zero) {
  constexpr double k_device_epsilon = 1, k_row_epsilon = 0.5;  // the largest that the theorems speak of
  const SyntheticSpec& spec = fleet.world;
  const double n = std::max(1.0, static_cast<double>(spec.devices) * (1 - fleet.dropout) * (1 - spec.empty));
  const double m = (spec.samples_low + spec.samples_high) / 2.0, d = spec.features, s = spec.nonzeros;
  const double largest = unit == PrivateUnit::device ? k_device_epsilon : k_row_epsilon;
  const double squared = squared_epsilon(fleet.epsilon, largest);
  LowerBound out;
  double rate = 0;
  switch (unit) {
    case PrivateUnit::device:
      rate = s * s / (n * m * squared);
      out.formula = "s^2 / (n m epsilon^2)";
      out.source = "Ma et al., Theorem 2.4, up to a constant";
      if (m > d || n * squared < s * s || n * fleet.epsilon * fleet.epsilon > d)
        out.caveat = "the theorem assumes s^2 <= n epsilon^2 <= d and m <= d";
      break;
    case PrivateUnit::row:
      rate = d / (n * squared);
      out.formula = "p / (n epsilon^2)";
      out.source = "Wang and Xu, Theorem 2 (Theorems 1, 3 and 4 alike), up to a constant";
      break;
    case PrivateUnit::label:
      rate = s * std::log(std::max(std::exp(1.0), d / s)) / (n * squared);
      out.formula = "s log(p/s) / (n epsilon^2)";
      out.source = "Wang and Xu, Theorem 7, up to a constant";
      break;
  }
  if (fleet.epsilon > largest) {
    const std::string beyond =
        fmt::format("the theorem is stated for epsilon <= {:g}; (e^epsilon - 1)^2 stands for epsilon^2 here", largest);
    out.caveat += (out.caveat.empty() ? "" : "; ") + beyond;
  }
  out.value = std::min(zero, rate * noise_variance(spec));
  return out;
}

}  // namespace sotto::analyzer
