// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/protocol/regression_terms.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/any_spec.hpp"
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
      regression;  ///< of a study whose rounds a protocol asks; `spec` and `recipe` are then empty
};

/// Reads a study file (TOML) and compiles it to the spec of a randomizer. `file` is only for messages.
/// Refuses   study.too_large (16 MiB), study.too_deep (16 levels), before anything is parsed; study.syntax, study.missing_key, study.unknown_key, study.wrong_type, study.bad_value, study.bad_epsilon,
///           study.bad_delta, study.over_cap, study.bad_dimension, study.bad_channel, study.bad_scale, study.bad_offset: each with file:line,
///           the key, the value, the fix.
[[nodiscard]] Result<Study> read_study(std::string_view text, std::string_view file);

}  // namespace sotto::analyzer
