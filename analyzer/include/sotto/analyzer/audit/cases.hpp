// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The cases that `sotto audit` runs: for every randomizer two private inputs and an event that distinguishes them
/// best, with the number of runs that the bound needs.

#include <vector>

#include "sotto/analyzer/audit/audit.hpp"

namespace sotto::analyzer::audit {

/// The tabled number of runs for each input with which the bound reaches 0.9 epsilon and a mechanism of 1.1 epsilon is
/// detected with 95 per cent power at alpha 0.05. For an epsilon that is not in the table, the next larger one is used.
/// Error  holds for an event of probability near e^epsilon/(1 + e^epsilon); an event that joins many outcomes of a wide
///        channel needs tabled_runs_aggregated().
[[nodiscard]] std::uint64_t tabled_runs(EpsilonNano epsilon);
[[nodiscard]] std::uint64_t tabled_runs_aggregated(EpsilonNano epsilon);

/// Cases of grr, walsh_hash, vote, hadamard_response and block. The event: outcomes that are likely (inside) for the
/// first input and unlikely (outside) for the second.
[[nodiscard]] std::vector<AuditCase> category_cases(EpsilonNano epsilon);
/// Cases of hemisphere, cross_polytope and sphere_code. The inputs are x and -x under public coins for which their
/// inside sets are disjoint; the event is the inside set of x.
[[nodiscard]] std::vector<AuditCase> direction_cases(EpsilonNano epsilon);
/// Cases of window, laplace and gaussian. The inputs are the two ends of the range; the event is the half of the
/// reports that only the first input makes likely.
[[nodiscard]] std::vector<AuditCase> scalar_cases(EpsilonNano epsilon);

}  // namespace sotto::analyzer::audit
