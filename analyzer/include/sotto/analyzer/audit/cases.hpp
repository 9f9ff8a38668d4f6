// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "sotto/analyzer/audit/audit.hpp"

namespace sotto::analyzer::audit {

/// The tabled number of runs, per input, that shows 0.9 epsilon and detects 1.1 epsilon with 95 per cent power at alpha 0.05; the
/// next larger tabled epsilon where epsilon is not in the table.
/// Error  for an event of probability near e^epsilon/(1 + e^epsilon); an aggregated event of a wide channel needs the second.
[[nodiscard]] std::uint64_t tabled_runs(EpsilonNano epsilon);
[[nodiscard]] std::uint64_t tabled_runs_aggregated(EpsilonNano epsilon);

/// grr, walsh_hash, vote, hadamard_response, block. Event: the outcomes inside for the first input and outside for the second.
[[nodiscard]] std::vector<AuditCase> category_cases(EpsilonNano epsilon);
/// hemisphere, cross_polytope, sphere_code. Inputs x and -x under a label where their inside sets are disjoint; event: all of x's.
[[nodiscard]] std::vector<AuditCase> direction_cases(EpsilonNano epsilon);
/// window, laplace, gaussian. Inputs at the two ends of the range; event: the half of the reports that only the first makes likely.
[[nodiscard]] std::vector<AuditCase> scalar_cases(EpsilonNano epsilon);

}  // namespace sotto::analyzer::audit
