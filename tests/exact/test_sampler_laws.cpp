// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "exp_interval.hpp"
#include "sampler_script.hpp"

namespace sotto::exact {
namespace {

// The paths of test_sampler_coins.cpp, added up. The numbers 32 and 64 are the samplers' ceilings.

/// P(exp_fraction(a, b) is true): it stops at K with probability x^(K-1)/(K-1)! - x^K/K!, x = a/b, and is true for odd K; what
/// passes K = 32 is true.
Rational exp_fraction_probability(const Rational& x) {
  Rational power = 1, sum = 0;  // x^(K-1)/(K-1)!
  for (int k = 1; k <= 32; ++k) {
    const Rational next = power * x / k;
    if (k % 2 == 1) sum += power - next;
    power = next;
  }
  return sum + power;
}

TEST(ExpFractionLaw, is_the_exponential_up_to_two_to_the_minus_117) {
  for (int b = 1; b <= 64; ++b) {
    for (int a = 0; a <= b; ++a) {
      const Rational p = exp_fraction_probability(Rational{a, b});
      const ExpInterval e = exp_neg_interval(a, b);
      const Rational one = Rational{Integer{1} << k_fraction_bits}, tolerance{1, Integer{1} << 117};
      ASSERT_LT(p - Rational{e.low} / one, tolerance) << a << "/" << b;
      ASSERT_GT(p - Rational{e.high} / one, -tolerance) << a << "/" << b;
    }
  }
}

/// P(inverse_e is true): a word below a digit, after words equal to the digits before it.
Rational inverse_e_probability() {
  Integer digits = 0;
  for (const std::uint32_t digit : SamplerScript::k_inverse_e_digits) digits = (digits << 32) + digit;
  return Rational{digits, Integer{1} << 128};
}

TEST(InverseELaw, is_cut_below_two_to_the_minus_128) {
  const ExpInterval e = exp_neg_interval(1, 1);
  const Rational one = Rational{Integer{1} << k_fraction_bits}, p = inverse_e_probability();
  EXPECT_LE(p, Rational{e.low} / one);
  EXPECT_LT(Rational{e.high} / one - p, Rational(1, Integer{1} << 128));
}

using Real = boost::multiprecision::cpp_bin_float_100;

Real real(const Rational& p) { return Real{numerator(p)} / Real{denominator(p)}; }
Real exp_fraction(const Rational& x) { return real(exp_fraction_probability(x)); }

/// P(discrete_laplace(scale) = z) for z >= 0, up to a constant: low part, high part with its ceiling, sign.
std::vector<Real> laplace_weights(int scale) {
  const Real unit = real(inverse_e_probability());
  std::vector<Real> weights;
  Real high = 1;
  for (int v = 0; v <= 64; ++v) {
    const Real end = v < 64 ? Real{1 - unit} : Real{1};
    for (int u = 0; u < scale; ++u) weights.push_back(exp_fraction(Rational{u, scale}) * high * end);
    high *= unit;
  }
  return weights;
}

/// Half the sum of |P - Q| over all integers, for symmetric laws given on z >= 0; `tail` is Q's mass beyond.
Real total_variation(std::vector<Real> p, std::vector<Real> q, const Real& tail) {
  const auto normalise = [](std::vector<Real>& w, const Real& rest) {
    Real sum = -w[0];
    for (const Real& v : w) sum += 2 * v;
    sum += rest;
    for (Real& v : w) v /= sum;
    return Real{rest / sum};
  };
  normalise(p, 0);
  Real distance = normalise(q, tail);
  for (std::size_t z = 0; z < p.size(); ++z) distance += abs(p[z] - q[z]) * (z == 0 ? 1 : 2);
  return distance / 2;
}

TEST(DiscreteLaplaceLaw, is_the_geometric_law_up_to_two_to_the_minus_90) {
  for (const int scale : {1, 2, 5, 16}) {
    const std::vector<Real> made = laplace_weights(scale);
    std::vector<Real> wanted;
    for (std::size_t z = 0; z < made.size(); ++z) wanted.push_back(exp(-Real{z} / scale));
    const Real tail = 2 * exp(-Real{made.size()} / scale) / (1 - exp(Real{-1} / scale));
    EXPECT_LT(total_variation(made, wanted, tail), Real{pow(Real{2}, -90)}) << "scale " << scale;
  }
}

TEST(DiscreteGaussianLaw, is_the_gaussian_on_integers_up_to_two_to_the_minus_64) {
  for (const int variance : {1, 2, 4, 10, 64}) {
    const int root = static_cast<int>(sqrt(Real{variance}));
    const int scale = root + 1;
    const Real unit = real(inverse_e_probability());
    std::vector<Real> made = laplace_weights(scale), wanted;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Integer z = i, distance = z * scale - variance, num = distance * distance;
      const Integer den = 2 * Integer{variance} * scale * scale, whole = num / den;
      made[i] *= pow(unit, whole.convert_to<int>()) * exp_fraction(Rational{Integer{num % den}, den});
      wanted.push_back(exp(-Real{z * z} / (2 * variance)));
    }
    EXPECT_LT(total_variation(made, wanted, 0), Real{pow(Real{2}, -64)}) << "variance " << variance;
  }
}

}  // namespace
}  // namespace sotto::exact
