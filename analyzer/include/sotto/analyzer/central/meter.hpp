// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The privacy accountant of one fit: every mechanism that reads the rows is recorded here, and the delivered epsilon
/// is computed from the record.

#include "sotto/analyzer/accountant/renyi.hpp"

namespace sotto::analyzer::central {

/// One release of a sum over all rows with Gaussian noise.
struct GaussianRelease {
  double z = 0;             ///< noise multiplier
  double draws = 0;         ///< number of noisy coordinates
  unsigned log2_sigma = 0;  ///< standard deviation of the noise in grid steps, as a power of two
};

/// Adds up the privacy cost of a fit.
class PrivacyMeter {
 public:
  /// Records `times` releases of a sum over all rows with Gaussian noise on `draws` coordinates each.
  void add_gaussian(double z, double times, double draws, unsigned log2_sigma);
  void add_gaussian(const GaussianRelease& release) { add_gaussian(release.z, 1, release.draws, release.log2_sigma); }
  /// Records any other mechanism by its Renyi curve, with `draws` noisy coordinates in total.
  void add(const RenyiCurve& cost, double draws = 0);
  /// Records a part with an (epsilon, delta) guarantee of its own, which is added to the rest by basic composition.
  void add_separate(double epsilon, double delta);
  /// Records that the mechanism run is within this total variation distance of the one that its guarantee was proven
  /// for.
  void add_distance(double total_variation) { distance_ += total_variation; }

  /// The epsilon of everything recorded, at this delta: by Renyi divergences or, if only Gaussian noise on all rows was
  /// recorded, by the exact Gaussian formula if that is smaller. Infinite if the samplers' total variation distances
  /// use up delta.
  [[nodiscard]] double epsilon(double delta) const;

 private:
  [[nodiscard]] double epsilon_without_distance(double delta) const;

  RenyiCurve renyi_;
  bool is_used_ = false, is_gaussian_ = true;
  double precision_ = 0;  ///< sum of 1/z^2
  double rounding_ = 0;   ///< total variation added to delta, because the exact formula is for continuous noise
  double distance_ = 0;
  double separate_epsilon_ = 0, separate_delta_ = 0;
};

}  // namespace sotto::analyzer::central
