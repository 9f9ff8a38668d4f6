// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// A confidence interval for a number that is looked at only because it is large.

namespace sotto::analyzer {

struct SelectedInterval {
  double low = 0, high = 0;
};

/// 95 % interval for the mean of a normal number that is looked at only because its size exceeds `cut`; |x| >= cut. The plain one
/// holds the mean less often, since noise is what carries many a number over the cut. It reaches beyond zero, where x is hardly above
/// the cut, and is the plain one far from it.
[[nodiscard]] SelectedInterval selected_interval(double x, double standard_error, double cut);

}  // namespace sotto::analyzer
