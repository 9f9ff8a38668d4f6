// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What a protocol plans from the study alone, before the first report: cohorts, permitted questions, the first
/// randomizer and the predicted error.

#include <any>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"

namespace sotto::analyzer {

/// The plan of a protocol. The manifest states its cohorts and questions.
struct ProtocolPlan {
  std::vector<std::uint16_t> weights;  ///< of the cohorts, in the order of their rounds
  std::uint16_t questions = 0;         ///< bit k: question k
  AnySpec first;                       ///< the randomizer of the first round; later rounds spend the same epsilon
  std::string why = {};                ///< one sentence on the plan's choices, beyond the choice of protocol; or empty
  /// Squared l2 error that is expected for this fleet; NaN if it cannot be predicted.
  double predicted_error = std::numeric_limits<double>::quiet_NaN();
  std::any own = {};                   ///< the protocol's own plan, which it starts from
  std::size_t validation_cohorts = 0;  ///< behind the protocol's own; they teach nothing
  std::size_t between_cohorts = 0;     ///< the last ones, of the stage [between]
};

}  // namespace sotto::analyzer
