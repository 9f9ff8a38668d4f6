// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/priv_unit.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <numbers>

namespace sotto::analyzer {

namespace {

constexpr int k_bits = 30;  // precision of the minimiser; as the minimum is flat, the error has twice as many bits

/// The probability of the cap when its density is e^epsilon times the density outside; `cap` is its mass under the
/// uniform distribution.
double probability_inside(double cap, double epsilon) { return cap / (cap + (1.0 - cap) * std::exp(-epsilon)); }

template <class Error>
double minimum(Error error, double from, double to) {
  return boost::math::tools::brent_find_minima(error, from, to, k_bits).second;
}

}  // namespace

double priv_unit_error(std::uint32_t dimension, double epsilon) {
  const double half = 0.5 * (dimension - 1.0);
  const double constant = 1.0 / boost::math::beta(half, 0.5);
  // As a function of the cap's angle a: the mass of the cap, and the integral of t over it, which is (1 - t^2)^half /
  // (2 half) at its rim.
  const auto error = [=](double angle) {
    const double sine = std::sin(angle);
    const double cap = 0.5 * boost::math::ibeta(half, 0.5, sine * sine);
    const double moment = constant * std::pow(sine, 2.0 * half) / (2.0 * half);
    const double p = probability_inside(cap, epsilon);
    const double scale = moment * (p / cap - (1.0 - p) / (1.0 - cap));
    return 1.0 / (scale * scale) - 1.0;
  };
  return minimum(error, 1e-3, 0.5 * std::numbers::pi);
}

double priv_unit_gauss_error(std::uint32_t dimension, double epsilon) {
  const auto error = [=](double t) {
    const double density = std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi);
    const double cap = 0.5 * std::erfc(t / std::numbers::sqrt2), rest = 1.0 - cap;
    const double p = probability_inside(cap, epsilon);
    const double scale = density * (p / cap - (1.0 - p) / rest);
    const double along = p * (1.0 + t * density / cap) + (1.0 - p) * (1.0 - t * density / rest);
    return (dimension - 1.0 + along) / (scale * scale) - 1.0;
  };
  return minimum(error, 0.0, 8.0);
}

}  // namespace sotto::analyzer
