// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/analyzer/study/terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What is asked, as a person wrote it, with the randomizer that answers it.
struct Study {
  std::string name;
  EpsilonNano cap = k_epsilon_max;  ///< the device's own limit that the study was checked against
  DeltaUnits delta = 0;             ///< that a report may spend; what it does spend is in facts_of(spec)
  PrivacyUnit unit = PrivacyUnit::installation;
  std::string kind;                   ///< vote, bin, block, value, direction
  std::vector<std::string> features;  ///< names, empty when the file only counts them
  std::string question;               ///< one sentence: what a device answers
  AnySpec spec;                       ///< derived, and certified under the cap
  StudyTerms terms;
  VoteRecipe recipe;  ///< of a vote
  std::optional<RegressionTerms>
      regression;  ///< of a study whose rounds a protocol asks; `recipe` is then empty, and `spec` is the first round's
  std::optional<ProtocolPlan> plan;  ///< of `regression`: made once, when the file is read
};

/// What reading a study file asks of the protocols, which stand above it (protocol/registry).
struct StudyPlanner {
  /// Sets terms.protocol and says why. False: there is no protocol of this name.
  bool (*choose)(std::string_view word, RegressionTerms& terms);
  /// Plans, and settles what the terms leave to the protocol.
  Result<ProtocolPlan> (*plan)(RegressionTerms& terms);
};

}  // namespace sotto::analyzer
