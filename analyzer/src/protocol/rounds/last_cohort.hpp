// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "selection.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// What a cohort that was asked about S around a centre says, centre included, empty devices divided out.
struct CohortEstimate {
  std::vector<std::uint32_t> feature;
  std::vector<double> value, standard_error;  ///< errors from the reports' own spread
  std::vector<double> guess_error;            ///< from what is divided out: the empty share, and what clipping takes
  double sampling_share = 0;                  ///< of the variance that is there without privacy
  std::uint64_t used = 0;
};

/// `gain` is what clipping and ridge leave of an answer, on average; `clipped` what clipping takes, which is only a guess.
[[nodiscard]] CohortEstimate cohort_estimate(const DirectionQuestion& question, const DirectionAnswer& answer,
                                             double gain, double clipped, const EmptyShare& empty);

/// Interval and p-value of candidate i from this cohort alone: support and centre were fixed before it, so what it says is not
/// bent by the choice. Half of the spread's variance is pooled over the candidates; the quantile is Student's.
[[nodiscard]] Coefficient coefficient_of(const CohortEstimate& cohort, std::size_t i);

/// low, high and p_value of a coefficient from its last_cohort and standard_error, with Student's quantile. `at_once` intervals of its kind
/// hold together.
void put_interval(double freedom, Coefficient& coefficient, double at_once = 1);

/// Marks what is confirmed at model.level over all coefficients together (Holm).
void confirm(Model& model);

/// Drops coefficients that are estimated as zero, the others by falling size.
void keep_support(Model& model);
/// The same, and the verdict: learned when at least half of them are confirmed.
void settle(Model& model);

}  // namespace sotto::analyzer
