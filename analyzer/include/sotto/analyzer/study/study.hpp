// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A study as read from its file: the question or the protocol, the checked terms and the randomizer.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/columns.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/analyzer/study/terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// A study, read and checked.
struct Study {
  std::string name;
  EpsilonNano cap = k_epsilon_max;  ///< the device's cap that the study was checked against
  DeltaUnits delta = 0;             ///< that a report may spend; what it spends is in facts_of(spec)
  PrivacyUnit unit = PrivacyUnit::installation;
  std::string kind;                   ///< vote, bin, block, value, direction; "protocol"; or an everyday kind
  std::vector<std::string> features;  ///< their names; empty if the file only states their number
  std::vector<StudyColumn> columns;   ///< what they are made of; empty if all of them are numbers
  std::string question;               ///< one sentence that says what a device answers
  AnySpec spec;                       ///< derived, and certified under the cap
  StudyTerms terms;
  VoteRecipe recipe;  ///< only for a vote
  /// For a study with a protocol; `recipe` is then empty, and `spec` is that of the first round.
  std::optional<RegressionTerms> regression;
  std::optional<ProtocolPlan> plan;  ///< the plan of `regression`, made once when the file is read
};

/// The functions of the protocol registry that reading a study file needs. They are passed in, because the registry is
/// a higher module.
struct StudyPlanner {
  /// Sets terms.protocol and why_protocol. Returns false if there is no protocol of this name.
  bool (*choose)(std::string_view word, RegressionTerms& terms);
  /// Plans, and sets the terms that the file leaves to the protocol.
  Result<ProtocolPlan> (*plan)(RegressionTerms& terms);
};

}  // namespace sotto::analyzer
