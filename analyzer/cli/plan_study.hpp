// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// The fleet that a study describes: as many variables as it states, of equal size, that together explain what it says.
/// Refuses  plan.no_protocol: a study that asks no regression in rounds.
[[nodiscard]] analyzer::Result<analyzer::PlanRequest> request_of(const analyzer::Study& study);

}  // namespace sotto::cli
