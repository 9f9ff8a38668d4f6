// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the protocol `top` makes of an item, before anybody is asked.

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// Of an item that this share of the devices has.
struct TopOdds {
  double found = 0;  ///< the chance that it is listed
  double error = 0;  ///< the expected error of its share, if it is
  double half = 0;   ///< half width of the interval of its share
};

/// From the noise of each stage: the item's support is normal around its mean, and has to pass every cut.
/// Estimate  for the protocol's own tree; the paper's is not told.
/// Refuses  an epsilon at which no randomizer can be derived.
[[nodiscard]] Result<TopOdds> top_odds(const RegressionTerms& terms, double devices, double share);

}  // namespace sotto::analyzer
