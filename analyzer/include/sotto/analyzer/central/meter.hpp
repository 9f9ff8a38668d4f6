// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/accountant/renyi.hpp"

namespace sotto::analyzer::central {

/// A sum of all rows that was given out with Gaussian noise.
struct GaussianRelease {
  double z = 0;      ///< noise multiplier
  double draws = 0;  ///< noisy coordinates
  unsigned log2_sigma = 0;
};

/// Counts what a fit has spent.
class PrivacyMeter {
 public:
  /// `times` releases of a sum of all rows with Gaussian noise of `draws` coordinates each.
  void add_gaussian(double z, double times, double draws, unsigned log2_sigma);
  void add_gaussian(const GaussianRelease& release) { add_gaussian(release.z, 1, release.draws, release.log2_sigma); }
  /// Anything else, with so many noisy coordinates altogether.
  void add(const RenyiCurve& cost, double draws = 0);
  /// A part with a guarantee of its own, which adds up with the rest.
  void add_separate(double epsilon, double delta);
  /// Something that is within this total variation of what its guarantee was proven for.
  void add_distance(double total_variation) { distance_ += total_variation; }

  /// What the fit keeps at this delta: by Renyi divergences, or, where only Gaussian noise on all rows was used, by the exact formula
  /// if that is less. Infinite when delta is used up by what samplers leave out.
  [[nodiscard]] double epsilon(double delta) const;

 private:
  [[nodiscard]] double epsilon_without_distance(double delta) const;

  RenyiCurve renyi_;
  bool is_used_ = false, is_gaussian_ = true;
  double precision_ = 0;  ///< sum of 1/z^2
  double rounding_ = 0;   ///< what the exact formula, which is for continuous noise, has to add
  double distance_ = 0;
  double separate_epsilon_ = 0, separate_delta_ = 0;
};

}  // namespace sotto::analyzer::central
