// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

// The stage that tells devices apart, behind the protocol and its validation: cohorts of its own are asked how the
// target's level goes along with columns that never change on a device. What the protocol learns does not depend on it.
namespace sotto::analyzer {

/// Sets aside the devices of the stage, if the study asks for it, before anybody else is planned.
void reserve_between(RegressionTerms& terms);
/// Adds its cohorts behind all others.
/// Refuses  what plan_between() refuses; protocol.too_many_cohorts.
Result<Done> add_between(const RegressionTerms& terms, ProtocolPlan& plan);

/// A protocol, and then the stage. Its cohorts are those from `first_cohort` on.
[[nodiscard]] std::unique_ptr<Protocol> with_between(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                                     const Manifest& manifest, std::size_t first_cohort);

}  // namespace sotto::analyzer
