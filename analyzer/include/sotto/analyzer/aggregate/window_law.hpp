// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Decoder and variance of one report of the window randomizer (K outcomes, windows of w). The estimator, the proposal
/// of channel parameters and protocols use it.

#include <cstdint>

#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// Decoder and variance, exact from the spec's integers. The answer is rounded at random to one of N = K-w+1 levels.
/// Derivation: analyzer/math/window.md
class WindowLaw {
 public:
  /// The spec must be one that check_spec() accepts.
  explicit WindowLaw(const WindowSpec& spec) noexcept;

  /// The decoded outcome j, z = C (j - (K-1)/2): its mean is the answer.
  [[nodiscard]] double decode(std::uint32_t outcome) const noexcept;
  /// C, the distance between neighbouring decoded outcomes.
  [[nodiscard]] double step() const noexcept { return step_; }
  /// The variance of z for the answer x in [-1, 1], including the random rounding to a level.
  [[nodiscard]] double variance(double x) const noexcept;
  /// The largest variance of z over all x in [-1, 1].
  [[nodiscard]] double worst_variance() const noexcept;

 private:
  /// The variance for an answer at position level + part, counted in levels from 0: with m its distance from the middle
  /// level, s = 2/(N-1) and f = part, it is (slope - s^2) m^2 + slope f(1-f) + floor.
  [[nodiscard]] double variance_between(double level, double part) const noexcept;

  double centre_;  ///< (K-1)/2
  double steps_;   ///< N-1 = K-w
  double step_;    ///< C
  double slope_;   ///< see variance_between()
  double floor_;
};

}  // namespace sotto::analyzer
