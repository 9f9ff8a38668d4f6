// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// How a fleet learns together. All of it follows from the study; sizes in standard units.
struct FederatedPlan {
  std::uint32_t rounds = 2;       ///< cohorts, equally large
  std::uint32_t local_steps = 1;  ///< K
  std::uint32_t keep = 1;         ///< features that a device keeps after each of its steps
  double step = 1;                ///< of a local step, in standard units
  double reach = 1;               ///< what K steps cover of the way to the device's own best model, on average
  double growth = 1;              ///< a later cohort counts so many times as much as the one before
  std::vector<double> radius;     ///< that differences are clipped to, one for each round
  AnySpec spec;
  double snr = 0;
  std::uint64_t needed = 0;  ///< devices for snr = 3
  std::string why, hopeless;
};

/// Refuses  protocol.too_many_features: more than a direction holds; what the channel refuses.
[[nodiscard]] Result<FederatedPlan> plan_federated(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> federated_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer
