// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <any>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sotto/analyzer/channel/any_spec.hpp"

namespace sotto::analyzer {

/// What a manifest must say before the first report: who is asked when, and what may be asked. It follows from the study alone.
struct ProtocolPlan {
  std::vector<std::uint16_t> weights;  ///< of the cohorts, in the order of the rounds
  std::uint16_t questions = 0;         ///< bit k: question k
  AnySpec first;                       ///< the randomizer of the first round; those of later rounds spend the same
  std::string why = {};                ///< one sentence, where the plan has more to say than the choice of protocol
  /// Squared l2 error that the fleet can be expected to reach; NaN: not known before.
  double predicted_error = std::numeric_limits<double>::quiet_NaN();
  std::any own = {};  ///< what the protocol itself planned, for it to start from
};

}  // namespace sotto::analyzer
