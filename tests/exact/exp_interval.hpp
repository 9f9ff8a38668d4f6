// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "sotto/units.hpp"

namespace sotto::exact {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

/// e^y lies in [low, high] / 2^256. Both ends are integers made by directed rounding, so that a comparison with them proves.
struct ExpInterval {
  Integer low, high;
};
inline constexpr unsigned k_fraction_bits = 256;

/// e^(p/q) for p >= 0, q > 0, by its Taylor series. Each term is rounded down in `low` and up in `high`. Once n >= 2y the terms
/// halve at least, so that everything after the last one is below the last one: added to `high`.
inline ExpInterval exp_interval(const Integer& p, const Integer& q) {
  const Integer one = Integer{1} << k_fraction_bits;
  Integer low_term = one, high_term = one;
  ExpInterval sum{one, one};
  for (unsigned n = 1;; ++n) {
    const Integer divisor = q * n;
    low_term = low_term * p / divisor;
    high_term = (high_term * p + divisor - 1) / divisor;
    sum.low += low_term;
    sum.high += high_term;
    if (divisor >= 2 * p && high_term <= 1) break;
  }
  sum.high += high_term;
  return sum;
}

/// e^(-p/q), as the reciprocal.
inline ExpInterval exp_neg_interval(const Integer& p, const Integer& q) {
  const ExpInterval e = exp_interval(p, q);
  const Integer square = Integer{1} << (2 * k_fraction_bits);
  return {square / e.high, (square + e.low - 1) / e.low};
}

inline ExpInterval exp_nano(EpsilonNano epsilon) { return exp_interval(epsilon, k_epsilon_one); }

/// Proven: a/b <= e^y.
inline bool at_most(const Integer& a, const Integer& b, const ExpInterval& e) {
  return (a << k_fraction_bits) <= b * e.low;
}
/// Proven: a/b > e^y.
inline bool above(const Integer& a, const Integer& b, const ExpInterval& e) {
  return (a << k_fraction_bits) > b * e.high;
}

}  // namespace sotto::exact
