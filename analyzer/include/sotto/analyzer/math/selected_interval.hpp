// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Confidence intervals for estimates that are reported only because they are large (selective inference).

namespace sotto::analyzer {

/// A confidence interval for a mean.
struct SelectedInterval {
  double low = 0, high = 0;
};

/// The 95 % interval for the mean of a normal estimate x, conditional on its selection by |x| > cut. After selection
/// the usual interval has too low a coverage, because many estimates exceed the cut by noise alone. If x is hardly
/// above the cut, this interval extends beyond zero; far from the cut it equals the usual one. Needs |x| >= cut.
[[nodiscard]] SelectedInterval selected_interval(double x, double standard_error, double cut);

}  // namespace sotto::analyzer
