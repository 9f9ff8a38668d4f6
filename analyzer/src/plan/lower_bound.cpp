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

/// How many answers an everyday question tells apart, and how large an error of one share is in its metric.
struct Answers {
  double categories = 2, unit = 1;
};

Answers answers_of(const EverydayOptions& asked) {
  constexpr double k_cells = 96, k_top = 10;  // of a simulated cross-tab; of a list
  if (asked.kind == "category") return {asked.categories + 1.0, 1};
  if (asked.kind == "crosstab") return {k_cells + 1, 1};
  if (asked.kind == "top") return {k_top, 1};
  if (asked.kind == "number") return {2, asked.range_sd};  // a narrower range that devices find is not known to a bound
  return {2, 1};
}

/// The error of a share is 1/sqrt(n epsilon^2), up to a constant; of k shares together k times it.
LowerBound bound_of_answers(const PlannedFleet& fleet, double n) {
  const Answers of = answers_of(*fleet.everyday);
  LowerBound out;
  const bool is_two = of.categories <= 2;
  const double root = std::sqrt(n) * std::expm1(fleet.epsilon);
  out.value = is_two ? 1 / root : of.categories / root;
  out.formula = is_two ? "1 / sqrt(n epsilon^2)" : "k / sqrt(n epsilon^2)";
  out.source = "Duchi, Jordan and Wainwright 2018, means and multinomial laws, up to a constant";
  out.caveat = "(e^epsilon - 1)^2 stands for epsilon^2";
  if (fleet.everyday->kind == "number") out.caveat += "; in widths of a range as narrow as the readings";
  return out;
}

}  // namespace

LowerBound lower_bound_of(const PlannedFleet& fleet, PrivateUnit unit, std::string_view metric, double zero) {
  constexpr double k_device_epsilon = 1, k_row_epsilon = 0.5;  // the largest that the theorems speak of
  const SyntheticSpec& spec = fleet.world;
  const double n = std::max(1.0, static_cast<double>(spec.devices) * (1 - fleet.dropout) * (1 - spec.empty));
  const double m = (spec.samples_low + spec.samples_high) / 2.0, d = spec.features, s = spec.nonzeros;
  const double largest = unit == PrivateUnit::device ? k_device_epsilon : k_row_epsilon;
  const double squared = squared_epsilon(fleet.epsilon, largest);
  LowerBound out;
  if (unit == PrivateUnit::answer) {
    out = bound_of_answers(fleet, n);
    out.value = std::min(zero, out.value);
    return out;
  }
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
    case PrivateUnit::function:
      rate = 1 / (n * squared);
      out.formula = "1 / sqrt(n epsilon^2)";
      out.source = "Duchi, Jordan and Wainwright 2018, the mean of a target, up to a constant";
      break;
    case PrivateUnit::answer: break;
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
  // Rows of a protocol that collects once are as long as their range; errors that are not squared are roots.
  const double square = rate * (fleet.once ? 1 : noise_variance(spec));
  const bool is_root = metric == "l2_error" || metric == "function_error";
  out.value = std::min(zero, is_root ? std::sqrt(square) : square);
  return out;
}

}  // namespace sotto::analyzer
