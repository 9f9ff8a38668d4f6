// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The mean of a target that is clipped before it is randomized, as a function of the linear predictor. Fitting it
/// removes the bias of a narrow clip.

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The mean report of a row with u = <x, theta>, and its derivative in u.
struct ResponseAt {
  double value = 0, slope = 0;
};

/// The mean of clip(f(u) + e, -B, B) in standard units, with f the study's link and e normal with its noise.
/// Randomization does not change the mean. A class (logistic) has no e: 2/(1 + e^-u) - 1. Fitting this response removes
/// the bias of the clip for any distribution of the features. Derivation: docs/protocols/label-iht.md.
class ClippedResponse {
 public:
  /// `bound` must be above 0; `noise` replaces the study's.
  ClippedResponse(const RegressionTerms& terms, double bound, double noise);

  [[nodiscard]] ResponseAt at(double u) const noexcept;
  [[nodiscard]] double bound() const noexcept { return bound_; }

  /// The best linear approximation offset + gain u for u normal with this deviation, as a starting point.
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
