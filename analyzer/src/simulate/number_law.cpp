// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "number_law.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace sotto::analyzer {
namespace {

constexpr double k_log_spread = 0.8;                        // of the lognormal law's logarithm
constexpr double k_mode = 0.96, k_mode_spread = 0.28;       // two modes at +-k_mode
constexpr double k_spike = 0.4;                             // share of zeros
constexpr std::array<double, 5> k_atoms = {0, 1, 2, 4, 8};  // of the discrete law
constexpr std::array<double, 5> k_odds = {.45, .22, .17, .11, .05};
constexpr std::int32_t k_simulated_count_max = 1'000'000;

double normal_draw(Xoshiro& random) {
  const double radius = std::sqrt(-2 * std::log1p(-random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

double atom(Xoshiro& random) {
  double left = random.unit();
  std::size_t i = 0;
  while (i + 1 < k_odds.size() && left >= k_odds[i]) left -= k_odds[i++];
  return k_atoms[i];
}

}  // namespace

std::optional<NumberLaw> parse_number_law(std::string_view word) {
  constexpr std::array<std::string_view, 6> k_words = {"normal", "lognormal", "two-modes",
                                                       "spike",  "uniform",   "discrete"};
  for (std::size_t i = 0; i < k_words.size(); ++i) {
    if (k_words[i] == word) return static_cast<NumberLaw>(i);
  }
  return std::nullopt;
}

double draw(NumberLaw law, Xoshiro& random) {
  switch (law) {
    case NumberLaw::normal: return normal_draw(random);
    case NumberLaw::lognormal: {
      const double s2 = k_log_spread * k_log_spread, mean = std::exp(s2 / 2);
      return (std::exp(k_log_spread * normal_draw(random)) - mean) / (mean * std::sqrt(std::expm1(s2)));
    }
    case NumberLaw::two_modes: {
      const double side = random.unit() < 0.5 ? -k_mode : k_mode;
      return side + k_mode_spread * normal_draw(random);
    }
    case NumberLaw::spike: {  // four devices in ten at zero, an exponential tail of the others
      const double value = random.unit() < k_spike ? 0 : -std::log1p(-random.unit());
      return (value - (1 - k_spike)) / std::sqrt(2 * (1 - k_spike) - (1 - k_spike) * (1 - k_spike));
    }
    case NumberLaw::uniform: return std::sqrt(12.0) * (random.unit() - 0.5);
    case NumberLaw::discrete: {
      double mean = 0, square = 0;
      for (std::size_t i = 0; i < k_atoms.size(); ++i) {
        mean += k_odds[i] * k_atoms[i];
        square += k_odds[i] * k_atoms[i] * k_atoms[i];
      }
      return (atom(random) - mean) / std::sqrt(square - mean * mean);
    }
  }
  return 0;
}

std::int32_t draw_count(double mean, Xoshiro& random) {
  // Gamma with shape 1/2 is half a squared normal; its Poisson by waiting times, or its normal limit where it is large.
  const double z = normal_draw(random), rate = mean * z * z;
  if (rate > 500)
    return static_cast<std::int32_t>(std::min<double>(
        k_simulated_count_max, std::max(0.0, std::round(rate + std::sqrt(rate) * normal_draw(random)))));
  std::int32_t count = -1;
  for (double wait = 0; wait <= rate; ++count) wait -= std::log1p(-random.unit());
  return count;
}

}  // namespace sotto::analyzer
