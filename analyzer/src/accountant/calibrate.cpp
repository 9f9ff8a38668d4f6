// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/accountant/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <boost/math/special_functions/erf.hpp>

namespace sotto::analyzer {
namespace {

constexpr double k_min = 0.03, k_max = 1e5;  // the range that bisection searches
constexpr int k_halvings = 64;
constexpr double k_epsilon_max = 100;  // far beyond any protection; e^100 is still a finite double

double normal(double x) { return boost::math::erfc(-x / std::sqrt(2.0)) / 2; }

Error out_of_reach(double epsilon, double delta) {
  return {"accountant.out_of_reach", "no noise multiplier up to 100,000 keeps this budget",
          fmt::format("epsilon {:g}, delta {:g}", epsilon, delta), "raise epsilon or delta, or take fewer steps"};
}

/// Bisects log z for the smallest z with is_good(z); `is_good` must be false below some z and true above it.
template <class IsGood>
double smallest_good(double low, double high, IsGood is_good) {
  double bad = std::log(low), good = std::log(high);
  for (int i = 0; i < k_halvings; ++i) {
    const double middle = (bad + good) / 2;
    (is_good(std::exp(middle)) ? good : bad) = middle;
  }
  return std::exp(good);
}

}  // namespace

Result<Done> check_budget(double epsilon, double delta) {
  if (!(epsilon > 0) || !std::isfinite(epsilon)) {
    return Error{"accountant.bad_epsilon", "epsilon is not a positive number", fmt::format("{:g}", epsilon),
                 "give a positive --epsilon, the privacy loss of one row in nats: 1 is strong, 8 is weak"};
  }
  if (epsilon > k_epsilon_max) {
    return Error{"accountant.bad_epsilon", "epsilon is so large that it protects nobody", fmt::format("{:g}", epsilon),
                 "lower --epsilon, the privacy loss of one row in nats: 1 is strong, 8 is weak; a fit that may show "
                 "its rows is made with --no-privacy"};
  }
  if (!(delta > 0 && delta < 1)) {
    return Error{"accountant.bad_delta", "delta is not between 0 and 1", fmt::format("{:g}", delta),
                 "Gaussian noise needs a delta; take one well below 1 / rows, such as 1e-5"};
  }
  return Done{};
}

EpsilonAtOrder epsilon_of(const RenyiCurve& curve, double delta) {
  EpsilonAtOrder best{std::numeric_limits<double>::infinity(), renyi_orders().front()};
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    const double a = renyi_orders()[i];
    const double epsilon = curve.at[i] + std::log1p(-1 / a) - (std::log(delta) + std::log(a)) / (a - 1);
    if (epsilon < best.epsilon) best = {epsilon, a};
  }
  best.epsilon = std::max(best.epsilon, 0.0);
  return best;
}

Result<double> noise_multiplier(const std::function<RenyiCurve(double z)>& cost, double epsilon, double delta) {
  if (const auto good = check_budget(epsilon, delta); !good) return good.error();
  const auto is_good = [&](double z) { return epsilon_of(cost(z), delta).epsilon <= epsilon; };
  if (!is_good(k_max)) return out_of_reach(epsilon, delta);
  return smallest_good(k_min, k_max, is_good);
}

Result<double> zcdp_budget(double epsilon, double delta) {
  const auto z = noise_multiplier([](double at) { return gaussian_curve(at); }, epsilon, delta);
  if (!z) return z.error();
  return 1 / (2 * z.value() * z.value());
}

double gaussian_delta(double z, double epsilon) {
  return normal(1 / (2 * z) - epsilon * z) - std::exp(epsilon) * normal(-1 / (2 * z) - epsilon * z);
}

double gaussian_epsilon(double z, double delta) {
  if (gaussian_delta(z, 0) <= delta) return 0;
  double low = 0, high = 1;
  while (gaussian_delta(z, high) > delta) high *= 2;
  for (int i = 0; i < k_halvings; ++i) {
    const double middle = (low + high) / 2;
    (gaussian_delta(z, middle) <= delta ? high : low) = middle;
  }
  return high;
}

Result<double> gaussian_multiplier(double epsilon, double delta) {
  if (const auto good = check_budget(epsilon, delta); !good) return good.error();
  const auto is_good = [&](double z) { return gaussian_delta(z, epsilon) <= delta; };
  if (!is_good(k_max)) return out_of_reach(epsilon, delta);
  return smallest_good(k_min, k_max, is_good);
}

}  // namespace sotto::analyzer
