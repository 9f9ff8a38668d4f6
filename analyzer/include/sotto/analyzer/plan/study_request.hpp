// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of a study as its file states it, and what to warn of before it is asked.

#include <string>
#include <vector>

#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// The fleet that a study describes: as many variables as it states, of equal size, that together explain what it says.
/// Of an everyday question or a protocol that collects once: the world on which it is simulated.
/// Refuses  plan.no_protocol: a study without a protocol.
[[nodiscard]] Result<PlanRequest> request_of(const Study& study);

/// What speaks against asking this study, one sentence each with numbers and what to do; nothing speaks against it
/// otherwise. A few fleets are drawn for it.
[[nodiscard]] std::vector<std::string> warnings_of(const Study& study);

}  // namespace sotto::analyzer
