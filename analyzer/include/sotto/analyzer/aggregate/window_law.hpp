// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// The decoder of a window channel and its variance, exact from the spec's integers. K outcomes, N = K-w+1 levels.
/// Derivation: analyzer/math/window.md
class WindowLaw {
 public:
  /// A spec that check_spec() accepts.
  explicit WindowLaw(const WindowSpec& spec) noexcept;

  /// z = C (j - (K-1)/2): its mean is the answer.
  [[nodiscard]] double decode(std::uint32_t outcome) const noexcept;
  /// C, the distance of neighbouring decoded outcomes.
  [[nodiscard]] double step() const noexcept { return step_; }
  /// Var z for the answer x in [-1, 1], the random rounding to a level included.
  [[nodiscard]] double variance(double x) const noexcept;
  /// The largest Var z over all x in [-1, 1].
  [[nodiscard]] double worst_variance() const noexcept;

 private:
  [[nodiscard]] double variance_between(double level, double part) const noexcept;

  double centre_;  ///< (K-1)/2
  double steps_;   ///< N-1 = K-w
  double step_;    ///< C
  double slope_;   ///< Var = (slope - s^2) m^2 + slope f(1-f) + floor, s = 2/(N-1), m the position from the centre
  double floor_;
};

}  // namespace sotto::analyzer
