// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

namespace sotto::analyzer {

/// A number that was measured in several repeats.
struct Summary {
  double mean = 0;
  double sd = 0;  ///< of one repeat; 0 when there is only one
  double median = 0;
};

/// At least one value.
[[nodiscard]] Summary summarize(std::span<const double> values);

}  // namespace sotto::analyzer
