// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Confidence intervals, tests and the verdict from the last cohort of a protocol, whose data did not influence the
/// choice of variables.

#include "selection.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// The estimate of a cohort that was asked about S around a centre, with the centre added and corrected for empty
/// devices.
struct CohortEstimate {
  std::vector<std::uint32_t> feature;
  std::vector<double> value, standard_error;  ///< standard errors from the spread of the reports
  std::vector<double> guess_error;            ///< from the corrections: the empty share and the effect of clipping
  double sampling_share = 0;                  ///< share of the variance that remains without privacy
  std::uint64_t used = 0;
};

/// `gain` is the factor that clipping and ridge leave of an answer on average; `clipped` the share that clipping takes,
/// which is only a guess.
[[nodiscard]] CohortEstimate cohort_estimate(const DirectionQuestion& question, const DirectionAnswer& answer,
                                             double gain, double clipped, const EmptyShare& empty);

/// Interval and p-value of candidate i from this cohort alone. Support and centre were fixed before, so the selection
/// does not bias them. Half of the variance is pooled over the candidates; the quantile is Student's.
[[nodiscard]] Coefficient coefficient_of(const CohortEstimate& cohort, std::size_t i);

/// Sets low, high and p_value from last_cohort and standard_error, with Student's quantile. The interval holds
/// simultaneously with `at_once` others of its kind (Bonferroni).
void put_interval(double freedom, Coefficient& coefficient, double at_once = 1);

/// Marks the coefficients that Holm's procedure confirms at model.level. `tests`: how many variables the reports that are
/// tested had to choose from, where the model holds only those that they chose.
void confirm(Model& model, std::size_t tests = 0);

/// Drops coefficients whose estimate is zero, and sorts the others by descending size.
void keep_support(Model& model);

}  // namespace sotto::analyzer
