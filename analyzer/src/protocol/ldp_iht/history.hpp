// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The reports of all cohorts of ldp-iht so far, combined to a posterior of the coefficients.

#include <cstdint>
#include <vector>

#include "../estimate/averaged_posterior.hpp"

namespace sotto::analyzer {

/// The estimate of one cohort: the distance of each coefficient from the centre, with its noise. The scale of these
/// steps depends on the assumed size of the residual, so all steps of a cohort may be too short or too long by one
/// common factor.
struct CohortSteps {
  std::vector<std::uint32_t> feature;          ///< rising
  std::vector<double> centre, step, variance;  ///< for each feature; the variance is that of its noise
  double stretch = 1;                          ///< factor that corrects the steps, as estimated from the cohort itself
};

/// How much weight cohorts are given.
struct Trust {
  double step = 1;    ///< share of a cohort's step that is taken; less than 1 if features are correlated
  double memory = 1;  ///< factor of a cohort's weight each time another cohort follows
  bool stretches = true;
};

/// All cohorts so far. Later cohorts show by which factor the steps of earlier ones were wrong: each cohort is rescaled
/// to the posterior of its coefficients, and weighted by its noise and the uncertainty of its factor.
class ItemHistory {
 public:
  ItemHistory(const SparsePrior& prior, const Trust& trust);

  void add(CohortSteps cohort);

  [[nodiscard]] const AveragedPosterior& posterior() const noexcept { return posterior_; }
  /// Variance of the weighted mean over all cohorts; infinite for a coefficient that was never asked about.
  [[nodiscard]] const std::vector<double>& variance() const noexcept { return variance_; }
  [[nodiscard]] const std::vector<CohortSteps>& cohorts() const noexcept { return cohorts_; }
  /// The factor of the last cohort, and its variance.
  [[nodiscard]] double last_stretch() const { return fits_.back().stretch; }
  [[nodiscard]] double last_stretch_variance() const { return fits_.back().variance; }

 private:
  struct Fit {
    double stretch, variance;
  };
  void combine();
  [[nodiscard]] Fit fit(const CohortSteps& cohort) const;

  SparsePrior prior_;
  Trust trust_;
  std::vector<CohortSteps> cohorts_;
  std::vector<Fit> fits_;
  std::vector<double> estimate_, variance_;
  AveragedPosterior posterior_;
};

}  // namespace sotto::analyzer
