// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "seeded_entropy.hpp"
#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/fixed.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

/// A unit vector in Q15, and by name. Rounded to Q15 and then taken as it is: its real length is kept for the comparison.
struct Direction {
  std::string name;
  std::vector<Q15> q15;
  std::vector<double> unit;
};

inline Direction direction_from(std::string name, const std::vector<double>& raw) {
  double square = 0.0;
  for (const double c : raw) square += c * c;
  Direction d{std::move(name), std::vector<Q15>(raw.size()), std::vector<double>(raw.size())};
  for (std::size_t j = 0; j < raw.size(); ++j) {
    d.q15[j] = static_cast<Q15>(std::lround(32767.0 * raw[j] / std::sqrt(square)));
    d.unit[j] = raw[j] / std::sqrt(square);
  }
  return d;
}

/// The shapes that rotations and codebooks have trouble with, and one that they do not.
inline std::vector<Direction> test_directions(std::uint32_t dimension) {
  std::vector<double> sparse(dimension, 0.0), pair(dimension, 0.0), equal(dimension, 1.0), geometric(dimension),
      random(dimension);
  sparse[dimension / 3] = -1.0;
  pair[1] = 1.0;
  pair[dimension - 1] = 1.0;
  SeededEntropy words{11};
  for (std::uint32_t j = 0; j < dimension; ++j) {
    geometric[j] = std::ldexp(1.0, -static_cast<int>(std::min(j, 60u)));
    // The sum of four uniforms is normal enough for a direction.
    for (int i = 0; i < 4; ++i) random[j] += words.word() / 4294967296.0 - 0.5;
  }
  return {direction_from("1-sparse", sparse), direction_from("2-sparse 45 deg", pair), direction_from("equal", equal),
          direction_from("geometric", geometric), direction_from("random", random)};
}

struct Trial {
  VectorMean mean;
  double mean_square = 0;    ///< measured E |z - x|^2
  double along = 0;          ///< <mean, x>, should be 1
  double across_square = 0;  ///< |mean - <mean, x> x|^2
};

inline constexpr std::array<std::uint8_t, 32> k_study_seed = {'d', 'i', 'r', 'e', 'c', 't', 'i', 'o', 'n', 's'};

/// Sends `reports` reports of x through the device library and the aggregate. randomize(label, coins, report) is the device.
template <class Aggregate, class Randomize>
Trial run_trial(Aggregate aggregate, const Direction& x, std::uint32_t reports, std::uint64_t seed,
                Randomize randomize) {
  SeededEntropy entropy{seed};
  PrivateCoins coins;
  for (std::uint32_t i = 0; i < reports; ++i) {
    // Pseudonyms of different trials do not meet: neither do their rotations and codebooks.
    const CoinLabel label{k_study_seed.data(), (seed << 32) + i + 1, 1};
    std::uint32_t report = 0;
    if (coins.begin_report(entropy.source()) != Status::ok || randomize(label, coins, report) != Status::ok) return {};
    aggregate.absorb(label, report);
  }
  Trial trial;
  trial.mean = aggregate.close();
  const double n = static_cast<double>(trial.mean.used);
  for (std::size_t j = 0; j < x.unit.size(); ++j) trial.along += trial.mean.mean[j] * x.unit[j];
  for (std::size_t j = 0; j < x.unit.size(); ++j) {
    const double off = trial.mean.mean[j] - x.unit[j], across = trial.mean.mean[j] - trial.along * x.unit[j];
    trial.across_square += across * across;
    // The mean of squares is the spread around the mean plus the mean's own square: an identity, coordinate by coordinate.
    trial.mean_square += trial.mean.standard_error[j] * trial.mean.standard_error[j] * (n - 1.0) + off * off;
  }
  return trial;
}

/// How far off `along` may be: the normal quantile for two-sided alpha, plus the stem's documented bias.
inline double along_limit(const DirectionError& law, double n, double alpha, double bias) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), alpha / 2)) *
             std::sqrt((law.along - 1.0) / n) +
         bias;
}

/// How large |mean across x|^2 may be: chi-square with dimension-1 degrees, plus the documented angle (radians).
inline double across_limit(const DirectionError& law, double n, double alpha, double angle) {
  const boost::math::chi_squared chi(law.dimension - 1.0);
  const double noise = std::sqrt(boost::math::quantile(boost::math::complement(chi, alpha)) * law.across / n);
  return (noise + angle) * (noise + angle);
}

inline constexpr EpsilonNano nano(double epsilon) { return static_cast<EpsilonNano>(epsilon * 1e9); }

}  // namespace sotto::analyzer
