// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

// The last cohorts of a study teach nothing: they are sent the finished model, and their devices say how well it predicts
// their rows. The verdict follows from what they say, whatever protocol learned the model.
namespace sotto::analyzer {

/// Sets aside the validating devices of a study that has some, before its protocol plans. Where the measure of the
/// protocol takes several cohorts, there are enough for each, or none.
void reserve_validators(RegressionTerms& terms);
/// Adds their cohorts behind those of the protocol.
/// Refuses  protocol.too_many_cohorts; what the channel refuses.
Result<Done> add_validation(const RegressionTerms& terms, ProtocolPlan& plan);

/// A protocol, and then the validation of its model and the verdict, which is the same rule for all. The cohorts that
/// validate are those from `first_cohort` on.
[[nodiscard]] std::unique_ptr<Protocol> validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                                  const Manifest& manifest, std::size_t first_cohort);

}  // namespace sotto::analyzer
