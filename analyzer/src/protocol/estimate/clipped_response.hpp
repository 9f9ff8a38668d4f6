// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// What a device is expected to say about a row with u = <x, theta>, and how that changes with u.
struct ResponseAt {
  double value = 0, slope = 0;
};

/// The mean of clip(f(u) + e, -B, B) in standard units, f the study's link and e normal with its noise: what is left of a target that is
/// clipped before it is randomized. Later coins do not change the mean. A class (logistic) has no e: 2/(1 + e^-u) - 1.
/// Fitting along it undoes a narrow clip, whatever the features' law. Derivation: docs/protocols/label-iht.md.
class ClippedResponse {
 public:
  /// `bound` is above 0; `noise` stands in for the study's.
  ClippedResponse(const RegressionTerms& terms, double bound, double noise);

  [[nodiscard]] ResponseAt at(double u) const noexcept;
  [[nodiscard]] double bound() const noexcept { return bound_; }

  /// The straight line nearest to it for u normal with this deviation: offset + gain u. Where to begin.
  struct Line {
    double offset = 0, gain = 1;
  };
  [[nodiscard]] Line line(double deviation) const;

 private:
  double bound_, noise_;
  TargetLink link_;
  double zero_, unit_;
};

}  // namespace sotto::analyzer
