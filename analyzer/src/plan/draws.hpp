// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "sotto/analyzer/math/xoshiro.hpp"

// Random numbers for plans: the same on every machine for the same seed.
namespace sotto::analyzer {

class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t stream) noexcept : random_(seed, stream) {}

  [[nodiscard]] double unit() noexcept { return random_.unit(); }
  [[nodiscard]] std::uint64_t word() noexcept { return random_.word(); }
  [[nodiscard]] std::uint64_t below(std::uint64_t n) noexcept {
    return std::min(n - 1, static_cast<std::uint64_t>(random_.unit() * static_cast<double>(n)));
  }
  [[nodiscard]] double normal() noexcept {
    return std::sqrt(-2 * std::log(1 - random_.unit())) * std::cos(2 * std::numbers::pi * random_.unit());
  }
  /// The number of successes of n trials: exact where few are expected on one side, else the rounded normal law.
  [[nodiscard]] std::uint64_t binomial(std::uint64_t n, double p) noexcept {
    constexpr double k_few = 30;
    if (n == 0 || p <= 0) return 0;
    if (p >= 1) return n;
    if (p > 0.5) return n - binomial(n, 1 - p);
    const auto trials = static_cast<double>(n);
    if (trials * p > k_few) {
      const double drawn = std::round(trials * p + std::sqrt(trials * p * (1 - p)) * normal());
      return static_cast<std::uint64_t>(std::clamp(drawn, 0.0, trials));
    }
    // The trials between two successes are geometric.
    const double log_failure = std::log1p(-p);
    std::uint64_t successes = 0;
    for (double at = 0;; ++successes) {
      at += std::floor(std::log(1 - random_.unit()) / log_failure) + 1;
      if (at > trials) return successes;
    }
  }

 private:
  Xoshiro random_;
};

}  // namespace sotto::analyzer
