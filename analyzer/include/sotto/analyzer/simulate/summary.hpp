// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Mean, standard deviation and median over the repeats of a simulation.

#include <span>

namespace sotto::analyzer {

/// A number that was measured in several repeats.
struct Summary {
  double mean = 0;
  double sd = 0;  ///< of one repeat; 0 if there is only one
  double median = 0;
};

/// `values` must not be empty.
[[nodiscard]] Summary summarize(std::span<const double> values);

}  // namespace sotto::analyzer
