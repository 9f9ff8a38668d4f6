// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/order_statistics.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <tuple>
#include <vector>

namespace sotto::analyzer {

namespace {

constexpr double k_tail_end = 9.0;  // the mass of a normal score beyond it is 1e-19
constexpr unsigned k_points = 20;   // quadrature points of each panel

/// Boost computes with long doubles by default, which takes four times as long; the sum of panels is not that accurate.
using Doubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// The probability that a score with upper tail Q is among the k largest of `count`: P(Binomial(count-1, Q) <= k-1).
double among_top(std::uint32_t count, std::uint32_t k, double upper_tail) {
  if (k >= count) return 1.0;
  return boost::math::ibetac(static_cast<double>(k), static_cast<double>(count - k), std::min(1.0, upper_tail),
                             Doubles());
}

/// Rising upper tails between which the integrand is smooth: fixed ones for the distribution itself, and steps of its
/// own width around k/count, where among_top falls from 1 to 0. The last one is where among_top is below 1e-20.
std::vector<double> panel_tails(std::uint32_t count, std::uint32_t k) {
  const double n = count, centre = k / n, width = std::sqrt(centre * (1.0 - centre + 1.0 / n) / n);
  std::vector<double> tails{1e-12, 1e-6, 1e-3, .02, .1, .3, .5, .7, .9, .98, 1.0 - 1e-3, 1.0 - 1e-6, 1.0 - 1e-12, 1.0};
  for (const double step : {-20.0, -9.0, -6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 9.0, 20.0, 40.0}) {
    const double tail = centre + step * width;
    if (tail > 0.0 && tail < 1.0) tails.push_back(tail);
  }
  std::sort(tails.begin(), tails.end());
  const auto end =
      std::find_if(tails.begin(), tails.end(), [&](double tail) { return among_top(count, k, tail) < 1e-20; });
  if (end != tails.end()) tails.erase(end + 1, tails.end());
  return tails;
}

/// The integral of f from `start`, where the upper tail is 0, panel by panel; place(tail) is the score with this upper
/// tail.
template <class F, class Place>
double integrate(F f, double start, const std::vector<double>& tails, Place place) {
  double sum = 0.0, from = start;
  for (const double tail : tails) {
    const double to = place(tail);
    sum += boost::math::quadrature::gauss<double, k_points>::integrate(f, std::min(from, to), std::max(from, to));
    from = to;
  }
  return sum;
}

double normal_density(double t) { return std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::numbers::pi); }
double normal_upper(double t) { return 0.5 * std::erfc(t / std::numbers::sqrt2); }
double normal_upper_inverse(double tail) {
  return tail >= 1.0 ? -k_tail_end : std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * tail);
}

/// The marginal of the sphere as a function of its angle: t = cos a has density c sin^(d-2) a, which is smooth also for
/// d = 2, where the density of t is not.
double top_sphere(std::uint32_t dimension, std::uint32_t count, std::uint32_t k, int power) {
  const double half = 0.5 * (dimension - 1.0);
  const double constant = 1.0 / boost::math::beta(half, 0.5);
  const auto upper_tail = [half](double angle) {
    const double sine = std::sin(angle);
    const double cap = 0.5 * boost::math::ibeta(half, 0.5, std::min(1.0, sine * sine), Doubles());
    return angle <= 0.5 * std::numbers::pi ? cap : 1.0 - cap;
  };
  const auto angle_of = [half](double tail) {
    const double sine_squared = boost::math::ibeta_inv(half, 0.5, 2.0 * std::min(tail, 1.0 - tail));
    const double angle = std::asin(std::sqrt(sine_squared));
    return tail <= 0.5 ? angle : std::numbers::pi - angle;
  };
  const auto integrand = [&](double angle) {
    return std::pow(std::cos(angle), power) * constant * std::pow(std::sin(angle), dimension - 2.0) *
           among_top(count, k, upper_tail(angle));
  };
  return integrate(integrand, 0.0, panel_tails(count, k), angle_of);
}

double top_normal(std::uint32_t count, std::uint32_t k, int power) {
  const auto integrand = [&](double t) {
    return std::pow(t, power) * normal_density(t) * among_top(count, k, normal_upper(t));
  };
  return integrate(integrand, k_tail_end, panel_tails(count, k), normal_upper_inverse);
}

double top_absolute_normal(std::uint32_t count, std::uint32_t k, int power) {
  const auto integrand = [&](double t) {
    return std::pow(t, power) * 2.0 * normal_density(t) * among_top(count, k, 2.0 * normal_upper(t));
  };
  const auto place = [](double tail) { return normal_upper_inverse(0.5 * tail); };
  return integrate(integrand, k_tail_end, panel_tails(count, k), place);
}

double top_sum(const ScoreLaw& law, std::uint32_t count, std::uint32_t k, int power) {
  switch (law.kind) {
    case ScoreLaw::Kind::normal: return top_normal(count, k, power);
    case ScoreLaw::Kind::absolute_normal: return top_absolute_normal(count, k, power);
    case ScoreLaw::Kind::sphere: return top_sphere(law.dimension, count, k, power);
  }
  return 0.0;
}

}  // namespace

double TopSums::known(std::uint32_t k, int power) const {
  using Name = std::tuple<ScoreLaw::Kind, std::uint32_t, std::uint32_t, std::uint32_t, int>;
  static std::mutex lock;
  static std::map<Name, double> sums;
  const Name name{law_.kind, law_.dimension, count_, k, power};
  {
    const std::lock_guard hold(lock);
    if (const auto at = sums.find(name); at != sums.end()) return at->second;
  }
  const double sum = count_ * top_sum(law_, count_, k, power);
  const std::lock_guard hold(lock);
  return sums.emplace(name, sum).first->second;
}

double mean_chi(std::uint32_t dimension) {
  return std::numbers::sqrt2 * boost::math::tgamma_delta_ratio(0.5 * dimension + 0.5, -0.5);
}

}  // namespace sotto::analyzer
