// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "../estimate/averaged_posterior.hpp"

namespace sotto::analyzer {

/// What one cohort said: how far, and with what noise, coefficients lie from the centre that it was asked around. How long such a
/// step is depends on what the residual was taken to be: all of a cohort's steps may be too short or too long by one factor.
struct CohortSteps {
  std::vector<std::uint32_t> feature;          ///< rising
  std::vector<double> centre, step, variance;  ///< of each; the variance of its noise
  double stretch = 1;  ///< what the steps are to be multiplied by, as far as the cohort itself can tell
};

/// How much of a cohort's word is taken.
struct Trust {
  double step =
      1;  ///< of the way that a cohort points; less where features go along with each other and gradients mix them
  double memory = 1;  ///< weight of a cohort once the next one was asked, again and again
  bool stretches = true;
};

/// All cohorts so far. Later ones tell how long the steps of earlier ones should have been: each is stretched to what the
/// posterior says of the coefficients in it, and weighted by what noise and stretching leave.
class ItemHistory {
 public:
  ItemHistory(const SparsePrior& prior, const Trust& trust);

  void add(CohortSteps cohort);

  [[nodiscard]] const AveragedPosterior& posterior() const noexcept { return posterior_; }
  /// Of the weighted mean of all cohorts; infinite where nobody was asked.
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
