// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of federated-ht: number of cohorts, local steps, radii, and whether the fleet is large enough.

#include <string>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The plan. It follows from the study alone; sizes are in standard units.
struct FederatedPlan {
  std::uint32_t rounds = 2;       ///< number of cohorts, all of the same size
  std::uint32_t local_steps = 1;  ///< K
  std::uint32_t keep = 1;         ///< features that a device keeps after each of its steps
  double step = 1;                ///< of a local step, in standard units
  double reach = 1;               ///< share of the distance to the device's own optimum that K steps cover on average
  double growth = 1;              ///< weight of a cohort relative to the one before
  std::vector<double> radius;     ///< of the ball that differences are clipped to, for each round
  AnySpec spec;
  double snr = 0;
  std::uint64_t needed = 0;  ///< devices for snr = 3
  std::string why, hopeless;
};

/// Refuses  protocol.too_many_features: more than a direction can hold; what the channel refuses.
[[nodiscard]] Result<FederatedPlan> plan_federated(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> federated_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer
