// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

// The last cohort of a study teaches nothing: it is sent the finished model, and each of its devices says how much
// better that predicts its rows than their own mean does. The verdict follows from what they say, whatever protocol
// learned the model.
namespace sotto::analyzer {

/// Sets aside the validating devices of a study that has some, before its protocol plans.
void reserve_validators(RegressionTerms& terms);
/// Adds their cohort behind those of the protocol.
/// Refuses  protocol.too_many_cohorts; what the channel refuses.
Result<Done> add_validation(const RegressionTerms& terms, ProtocolPlan& plan);

/// A protocol, and then the validation of its model.
[[nodiscard]] std::unique_ptr<Protocol> validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                                  const Manifest& manifest);

/// The half-width that gains are clipped to where the model explains about this share of the variance.
[[nodiscard]] double gain_bound(double explained);

}  // namespace sotto::analyzer
