// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Published lower bounds of the squared error under local differential privacy: no protocol does better, up to a
/// constant.

#include <string>

#include "sotto/analyzer/plan/planned_fleet.hpp"

namespace sotto::analyzer {

/// What a device's epsilon protects.
enum class PrivateUnit : std::uint8_t { device, row, label };

struct LowerBound {
  double value = 0;     ///< squared l2 error, at most that of the zero model; without the unknown constant
  std::string formula;  ///< "s^2 / (n m epsilon^2)"
  std::string source;   ///< which theorem
  std::string caveat;   ///< where the theorem does not speak of this fleet; empty: it does
};

/// `zero` is the squared error of the zero model.
[[nodiscard]] LowerBound lower_bound_of(const PlannedFleet& fleet, PrivateUnit unit, double zero);

}  // namespace sotto::analyzer
