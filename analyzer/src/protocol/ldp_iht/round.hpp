// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A round of ldp-iht: what a cohort is asked, and the efficiency of its randomizer.

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// What an item-level cohort reports.
enum class ItemAnswer : std::uint8_t {
  block,       ///< signs of some coordinates, times the rounded residual (features are signs, one row a device)
  direction,   ///< the gradient as a vector in a ball
  hemisphere,  ///< the gradient through the paper's one-bit randomizer
};

/// The question to one cohort: the gradient of y - f(<x, c>) on some coordinates.
struct ItemQuestion {
  ItemAnswer answer = ItemAnswer::block;
  std::vector<std::uint32_t> asked;  ///< coordinates in ascending order
  bool is_all = false;               ///< all features are asked about; the centre then need not name them
  Entries centre;                    ///< c; without is_all one entry for each coordinate
  double bound = 1;  ///< block: that residuals are clipped to; else the radius that gradients are. In units of theta
};

/// The number of entries that fit into a round together with the link's table.
[[nodiscard]] std::size_t centre_room(const RegressionTerms& terms);

/// The mean residual y - f(<x, c>) per unit of <x, theta - c>, in standard deviations of the target. 1 for the
/// identity.
[[nodiscard]] double mean_slope(const RegressionTerms& terms);

/// Refuses  protocol.bad_link: with the target's unit the link is too steep or too flat for a device's table; what the
///          proposals refuse.
[[nodiscard]] Result<RoundDraft> draft_item(const RegressionTerms& terms, const ItemQuestion& question,
                                            std::uint16_t number, std::uint8_t cohort);

/// k m^2 of the randomizer on this many coordinates: the noise variance of a coordinate's mean is B^2 k'/(n efficiency)
/// for k' coordinates.
/// Refuses  what the proposals refuse.
[[nodiscard]] Result<double> item_efficiency(const RegressionTerms& terms, ItemAnswer answer, std::size_t coordinates);

}  // namespace sotto::analyzer
